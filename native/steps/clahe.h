#pragma once

#include "kernels/clahe.h"
#include "runtime/step.h"

namespace penstock {

/// Adaptive histogram equalisation of every channel of images with axes H, W, C.
class Clahe : public Step {
 public:
  explicit Clahe(ClaheGrid grid) : grid_(grid) {}

  Spec infer(size_t, const Spec& in, ConstView) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;

 private:
  ClaheGrid grid_;
};

}  // namespace penstock
