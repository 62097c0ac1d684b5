// The step that converts samples to another element type.
#pragma once

#include <algorithm>

#include "kernels/step.h"

namespace penstock {

/// Converts the element type; to the same type it is a copy.
class Cast : public Step {
 public:
  explicit Cast(DType dtype) : dtype_(dtype) {}

  Spec infer(size_t, const Spec& in, ConstView) const override { return {dtype_, in.shape}; }
  bool infers_alike() const override { return true; }
  void run(size_t, View out, ConstView in, Scratch& scratch) const override;
  int64_t reads_once(int64_t input, int64_t output) const override { return std::min(input, output); }
  std::shared_ptr<const Step> joined(size_t, const Shape&) const override { return std::make_shared<Cast>(*this); }

 private:
  DType dtype_;
};

}  // namespace penstock
