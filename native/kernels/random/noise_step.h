// The step that puts random noise into samples.
#pragma once

#include <array>
#include <functional>
#include <utility>

#include "kernels/random/philox.h"
#include "kernels/step.h"

namespace penstock {

/// Puts random noise into samples. The call's words and the number of a sample decide what is drawn for it.
class Noise : public Step {
 public:
  using Apply = std::function<void(size_t sample, View out, ConstView in, const Philox& sequence)>;
  Noise(const std::array<uint32_t, 7>& words, size_t first, Apply apply)
      : words_(words), first_(first), apply_(std::move(apply)) {}

  Spec infer(size_t, const Spec& in, ConstView) const override { return in; }
  void run(size_t sample, View out, ConstView in, Scratch&) const override {
    apply_(sample, out, in, Philox::of_sample(words_, first_ + sample));
  }

 private:
  std::array<uint32_t, 7> words_;
  size_t first_;
  Apply apply_;
};

}  // namespace penstock
