// A filter given as an array of weights, laid over every pixel.
#pragma once

#include "kernels/array/axis_map.h"
#include "kernels/filter/separable.h"

namespace penstock {

/// Weights for each of three axes, in the order depth, rows, columns.
struct Stencil {
  const float* weights = nullptr;
  int64_t depth = 1, rows = 1, columns = 1;
  /// Which weight lies on the pixel that is made: 0 for all where only whole stencils are wanted.
  int64_t anchor_depth = 0, anchor_row = 0, anchor_column = 0;

  int64_t volume() const { return depth * rows * columns; }
};

/// What the input holds beyond its edges: a part of itself, or with Border::pad a number.
struct Surroundings {
  Border border = Border::reflect_101;
  float fill = 0;
};

/// Writes the sum of the pixels under the stencil, weighted, for every place of `out`, which holds `made` pixels.
void correlate(View out, const Volume& made, ConstView in, const Volume& volume, const Stencil& stencil,
               const Surroundings& around, Scratch& scratch);

}  // namespace penstock
