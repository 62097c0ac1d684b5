// The step of contrast-limited adaptive histogram equalisation.
#pragma once

#include "kernels/color/clahe.h"
#include "kernels/step.h"

namespace penstock {

/// Adaptive histogram equalisation of images with axes H, W, C: of every channel, or of the lightness of RGB.
class Clahe : public Step {
 public:
  Clahe(ClaheGrid grid, bool luma_only) : grid_(grid), luma_only_(luma_only) {}

  Spec infer(size_t, const Spec& in, ConstView) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;

 private:
  ClaheGrid grid_;
  bool luma_only_;
};

}  // namespace penstock
