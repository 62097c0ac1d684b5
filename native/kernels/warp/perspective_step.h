// The step of perspective warps.
#pragma once

#include <utility>

#include "kernels/warp/warp_step.h"

namespace penstock {

/// Images seen from elsewhere, by matrices of three rows of three numbers.
class PerspectiveWarp : public Warp {
 public:
  /// `origin` is where the first pixel has its centre: 0 or 0.5. Places are rounded to one part of `grid` of a
  /// pixel, halves to even; not at all with 0.
  PerspectiveWarp(WarpOptions options, PerSampleRows<float> matrices, double origin, float grid)
      : Warp(std::move(options)), matrices_(std::move(matrices)), origin_(origin), grid_(grid) {}

 private:
  void draw(size_t sample, const Canvas& canvas, Scratch& scratch) const override;

  PerSampleRows<float> matrices_;
  double origin_;
  float grid_;
};

}  // namespace penstock
