// The axes of an array that is reduced, with neighbours of one kind taken together.
#pragma once

#include <array>

#include "memory/view.h"

namespace penstock {

/// Axes of length 1 are left out; of the others, neighbours that are both reduced, or both kept, are one axis.
struct MergedAxes {
  int ndim = 0;
  std::array<bool, kMaxDims> reduced{};
  std::array<int64_t, kMaxDims> extent{1};
  std::array<int64_t, kMaxDims> step{};   // in the array
  std::array<int64_t, kMaxDims> place{};  // in the reduced array; 0 along axes that are reduced

  MergedAxes(const Shape& shape, unsigned mask) {
    for (int axis = 0; axis < shape.ndim; ++axis) {
      if (shape[axis] == 1) continue;
      const bool is_reduced = mask >> axis & 1;
      if (ndim && reduced[ndim - 1] == is_reduced) {
        extent[ndim - 1] *= shape[axis];
      } else {
        reduced[ndim] = is_reduced;
        extent[ndim++] = shape[axis];
      }
    }
    int64_t next_step = 1, next_place = 1;
    for (int axis = ndim - 1; axis >= 0; --axis) {
      step[axis] = next_step;
      place[axis] = reduced[axis] ? 0 : next_place;
      next_step *= extent[axis];
      if (!reduced[axis]) next_place *= extent[axis];
    }
  }
};

}  // namespace penstock
