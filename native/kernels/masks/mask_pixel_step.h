// The step that picks a random element of a mask.
#pragma once

#include <array>
#include <stdexcept>
#include <utility>

#include "kernels/masks/mask_pixel.h"
#include "kernels/step.h"
#include "memory/per_sample.h"

namespace penstock {

/// From a mask to the indices of one of its elements.
class MaskPixel : public Step {
 public:
  /// `call` are the words the operator took, and the number of the first sample that is made of them. `value` has no
  /// values where elements above the threshold are meant.
  MaskPixel(std::pair<std::array<uint32_t, 7>, size_t> call, PerSample<int32_t> foreground, PerSample<float> threshold,
            PerSample<int32_t> value)
      : call_(call), foreground_(std::move(foreground)), threshold_(std::move(threshold)), value_(std::move(value)) {}

  Spec infer(size_t, const Spec& in, ConstView) const override {
    if (in.shape.ndim == 0 || in.shape.volume() == 0) throw std::runtime_error("there is no pixel in an empty mask");
    Spec spec{DType::i64, {}};
    spec.shape.ndim = 1;
    spec.shape[0] = in.shape.ndim;
    return spec;
  }

  void run(size_t sample, View out, ConstView in, Scratch&) const override {
    std::optional<Foreground> foreground;
    if (foreground_[sample]) {
      foreground = {std::nullopt, threshold_[sample]};
      if (value_.size()) foreground->value = value_[sample];
    }
    draw_mask_pixel(out.as<int64_t>(), Philox::of_sample(call_.first, call_.second + sample), in, foreground);
  }

 private:
  std::pair<std::array<uint32_t, 7>, size_t> call_;
  PerSample<int32_t> foreground_;
  PerSample<float> threshold_;
  PerSample<int32_t> value_;
};

}  // namespace penstock
