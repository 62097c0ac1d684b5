// The step that mirrors samples.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/step.h"

namespace penstock {

/// Mirrors samples along chosen axes.
class Flip : public Step {
 public:
  /// `mirrored` has a row of flags for every sample, or one row for all, with a flag for each of `axes`.
  Flip(std::vector<int> axes, std::vector<int32_t> mirrored) : axes_(std::move(axes)), mirrored_(std::move(mirrored)) {}

  Spec infer(size_t, const Spec& in, ConstView) const override { return in; }
  bool infers_alike() const override { return true; }
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;
  int64_t reads_once(int64_t input, int64_t output) const override { return std::min(input, output); }
  bool is_part() const override { return true; }
  bool narrow(size_t sample, DType dtype, Part& part) const override;

 private:
  bool is_mirrored(size_t sample, size_t k) const {
    return mirrored_[(mirrored_.size() == axes_.size() ? 0 : sample) * axes_.size() + k] != 0;
  }

  std::vector<int> axes_;
  std::vector<int32_t> mirrored_;
};

}  // namespace penstock
