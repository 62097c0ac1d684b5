// Sums over chosen axes, and the normalisation made from them.
#pragma once

#include "memory/view.h"

namespace penstock {

/// Extents of the axes that are not in `mask`, and 1 for those that are.
Shape reduced_shape(const Shape& shape, unsigned mask);

/// Adds the elements of `in` along the axes in `mask` to `sums`, which has one place per element of the reduced shape.
void add_sums(double* sums, ConstView in, unsigned mask);

/// Adds the squared distances from `mean`, which has as many elements as `sums`.
void add_squares(double* sums, ConstView in, unsigned mask, const double* mean);

/// (in - mean) * inverse + shift in single precision, rounded to the output's type; `mean` and `inverse` have one
/// element per element of the reduced shape.
void scale_and_shift(View out, ConstView in, unsigned mask, const float* mean, const float* inverse, float shift);

}  // namespace penstock
