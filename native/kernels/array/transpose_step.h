// The step that permutes the axes of samples.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/array/transpose.h"
#include "kernels/step.h"

namespace penstock {

/// Permutes the axes: axis k of the result is axis order[k] of the sample.
class Transpose : public Step {
 public:
  explicit Transpose(const std::vector<int>& order) { std::copy(order.begin(), order.end(), order_.begin()); }

  Spec infer(size_t, const Spec& in, ConstView) const override {
    Spec result = in;
    for (int k = 0; k < in.shape.ndim; ++k) result.shape[k] = in.shape[order_[k]];
    return result;
  }
  bool infers_alike() const override { return true; }
  void run(size_t, View out, ConstView in, Scratch&) const override { transpose(out, in, order_); }

 private:
  std::array<int, kMaxDims> order_{};
};

}  // namespace penstock
