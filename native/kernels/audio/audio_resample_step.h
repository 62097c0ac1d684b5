// The step that brings signals to another sample rate.
#pragma once

#include <optional>

#include "kernels/audio/sinc_filter.h"
#include "kernels/step.h"
#include "memory/per_sample.h"

namespace penstock {

/// Brings signals to another sample rate, or to a length.
class AudioResample : public Step {
 public:
  /// Rates are given by `in_rate` and `out_rate`, or the result has `length` samples.
  struct Options {
    PerSample<float> in_rate, out_rate;
    std::optional<PerSample<int32_t>> length;
    double quality;
    DType dtype;
  };

  explicit AudioResample(Options options) : options_(std::move(options)), filter_(options_.quality) {}

  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;

 private:
  Rates rates(size_t sample, int64_t length) const;

  Options options_;
  SincFilter filter_;
};

}  // namespace penstock
