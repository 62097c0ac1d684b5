// Resampling along one axis in single precision: every dtype, any rank.
#pragma once

#include "kernels/resize/interpolation_filters.h"
#include "memory/view.h"

namespace penstock {

/// A box of an array: elements are `stride[axis]` apart along each axis.
struct StridedView {
  const std::byte* data = nullptr;
  DType dtype = DType::u8;
  Shape shape;
  std::array<int64_t, kMaxDims> stride{};
};

StridedView strided(ConstView view);

/// What resample_axis needs as `line` for an axis of so many input pixels.
constexpr int64_t line_floats(int64_t pixels) { return 4 * pixels + 4; }

/// Resamples `axis` of `in` into `out`, rounding and saturating if that is an integer type. `in` begins at pixel
/// `origin` of the axis the weights were made for. Types: uint8, int16, uint16, float32.
void resample_axis(View out, const StridedView& in, int axis, const AxisWeights& weights, int64_t origin, float* line);

}  // namespace penstock
