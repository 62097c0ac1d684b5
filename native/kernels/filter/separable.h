// Separable filters with symmetric windows, applied along one axis after the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "memory/scratch.h"
#include "memory/view.h"

namespace penstock {

/// Which axes of a sample are filtered: `count`, 1 to 3, from `first` on. Those behind them are channels.
struct SpatialAxes {
  int first = 0;
  int count = 0;
};

/// A sample as a filter sees it: the axes before the spatial ones, at most three of these, and the channels.
struct Volume {
  int64_t outer = 1, depth = 1, height = 1, width = 1, channels = 1;

  static Volume of(const Shape& shape, SpatialAxes axes);
};

/// Half a window, from its middle outwards: [0] is the middle, [k] lies k to either side of it.
using HalfWindow = std::vector<float>;

/// A filter that is a product of one window per axis.
struct SeparableTerm {
  HalfWindow depth{1}, rows{1}, columns{1};

  /// The window of one of so many spatial axes. Where there is no depth, its window stays as it is.
  HalfWindow& of_axis(int axis, int spatial) {
    return axis == spatial - 1 ? columns : axis == spatial - 2 ? rows : depth;
  }
};

/// Writes the sum of `terms` applied to `in`. Beyond the edges the input is mirrored about its outermost elements.
void filter_separably(View out, ConstView in, const Volume& volume, std::span<const SeparableTerm> terms,
                      Scratch& scratch);

}  // namespace penstock
