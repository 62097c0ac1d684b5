// The step of Gaussian blur.
#pragma once

#include "kernels/filter/separable.h"
#include "kernels/step.h"
#include "memory/per_sample.h"

namespace penstock {

/// Gaussian blur.
class GaussianBlur : public Step {
 public:
  /// `sigma` and `size`, the odd length of the window, have a value for every axis.
  GaussianBlur(SpatialAxes axes, PerSampleRows<float> sigma, PerSampleRows<int32_t> size, DType dtype)
      : axes_(axes), sigma_(std::move(sigma)), size_(std::move(size)), dtype_(dtype) {}

  Spec infer(size_t, const Spec& in, ConstView) const override { return {dtype_, in.shape}; }
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;

 private:
  SpatialAxes axes_;
  PerSampleRows<float> sigma_;
  PerSampleRows<int32_t> size_;
  DType dtype_;
};

}  // namespace penstock
