// Affine maps of points, whose coordinates are the last axis of an array.
#pragma once

#include "memory/view.h"

namespace penstock {

/// matrix * point + shift for every point, in single precision, rounded to the output's type. The matrix has a row for
/// each coordinate of `out` and a column for each of `in`.
void map_points(View out, ConstView in, const float* matrix, const float* shift);

/// Every coordinate times its factor, plus its shift.
void scale_points(View out, ConstView in, const float* factor, const float* shift);

}  // namespace penstock
