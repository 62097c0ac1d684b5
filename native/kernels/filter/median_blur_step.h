// The step of the median filter.
#pragma once

#include <cstring>

#include "kernels/filter/median.h"
#include "kernels/step.h"
#include "memory/per_sample.h"

namespace penstock {

/// Medians of square windows of 1, 3 or 5 pixels a side.
class MedianBlur : public Step {
 public:
  MedianBlur(int first_axis, PerSample<int32_t> size) : first_axis_(first_axis), size_(std::move(size)) {}

  Spec infer(size_t, const Spec& in, ConstView) const override { return in; }
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override {
    if (size_[sample] == 1)
      std::memcpy(out.data, in.data, in.bytes());
    else
      take_medians(out, in, Volume::of(in.shape, {first_axis_, 2}), size_[sample], scratch);
  }

 private:
  int first_axis_;
  PerSample<int32_t> size_;
};

}  // namespace penstock
