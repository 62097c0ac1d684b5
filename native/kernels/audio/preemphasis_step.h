// The step of the preemphasis filter.
#pragma once

#include <utility>

#include "kernels/audio/preemphasis.h"
#include "kernels/step.h"
#include "memory/per_sample.h"

namespace penstock {

class Preemphasis : public Step {
 public:
  Preemphasis(PerSample<float> coefficient, SignalBorder border, DType dtype)
      : coefficient_(std::move(coefficient)), border_(border), dtype_(dtype) {}

  Spec infer(size_t, const Spec& in, ConstView) const override { return {dtype_, in.shape}; }
  void run(size_t sample, View out, ConstView in, Scratch&) const override {
    preemphasis(out, in, coefficient_[sample], border_);
  }

 private:
  PerSample<float> coefficient_;
  SignalBorder border_;
  DType dtype_;
};

}  // namespace penstock
