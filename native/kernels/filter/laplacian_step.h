// The step of the Laplacian.
#pragma once

#include "kernels/filter/separable.h"
#include "kernels/step.h"
#include "memory/per_sample.h"

namespace penstock {

/// The sum of second derivatives along all axes, each smoothed along the others.
class Laplacian : public Step {
 public:
  struct Options {
    PerSampleRows<int32_t> window;     // odd sizes of the derivatives' windows, one for every axis
    PerSampleRows<int32_t> smoothing;  // the same of smoothing along an axis; none: as large as the derivative's
    PerSampleRows<float> scale;        // of every derivative
    bool normalizes = false;           // windows are scaled down to what a derivative by [1, -2, 1] gives
    DType dtype = DType::f32;
  };
  Laplacian(SpatialAxes axes, Options options) : axes_(axes), options_(std::move(options)) {}

  Spec infer(size_t, const Spec& in, ConstView) const override { return {options_.dtype, in.shape}; }
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;

 private:
  SeparableTerm derivative(size_t sample, int axis) const;

  SpatialAxes axes_;
  Options options_;
};

}  // namespace penstock
