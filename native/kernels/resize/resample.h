// Separable resampling of any axes of an array.
#pragma once

#include <span>

#include "kernels/resize/interpolation_filters.h"
#include "memory/scratch.h"
#include "memory/view.h"

namespace penstock {

/// What happens to one axis of the array.
struct ResampledAxis {
  int axis = 0;
  AxisSpec spec;
};

/// Whether `resample` goes through RowResampler, so that rows may be fed to one as well, with the same result:
/// uint8 to uint8 along two neighbouring axes, with at most four elements behind them.
bool resamples_by_rows(DType out, const Shape& in, DType in_dtype, std::span<const ResampledAxis> axes);

/// Resamples the given axes, in ascending order, and keeps the others. Types: uint8, int16, uint16, float32, to the
/// same or float32. Every axis has at least one pixel on both sides.
void resample(View out, ConstView in, std::span<const ResampledAxis> axes, Scratch& scratch);

}  // namespace penstock
