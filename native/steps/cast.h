#pragma once

#include "kernels/convert.h"
#include "runtime/step.h"

namespace penstock {

/// Converts the element type; to the same type it is a plain copy.
class Cast : public Step {
 public:
  explicit Cast(DType dtype) : dtype_(dtype) {}

  Spec infer(size_t, const Spec& in, ConstView) const override { return {dtype_, in.shape}; }
  void run(size_t, View out, ConstView in, Scratch&) const override {
    rounding_conversion(out.dtype, in.dtype)(out.data, in.data, in.shape.volume());
  }

 private:
  DType dtype_;
};

}  // namespace penstock
