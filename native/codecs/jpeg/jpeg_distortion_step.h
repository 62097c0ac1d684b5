// The step that gives images the artefacts of JPEG compression.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>

#include "codecs/jpeg/jpeg_distortion.h"
#include "kernels/step.h"
#include "memory/per_sample.h"

namespace penstock {

/// What a JPEG of some quality makes of RGB images.
class JpegDistortion : public Step {
 public:
  explicit JpegDistortion(PerSample<int32_t> quality) : quality_(std::move(quality)) {}

  Spec infer(size_t, const Spec& in, ConstView) const override {
    if (in.shape[2] != 3)
      throw std::runtime_error(
          "Invalid number of channels. Expected a channel-last layout, with 3 channels (RGB), got " +
          std::to_string(in.shape[2]));
    return in;
  }
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override {
    distort_as_jpeg(out.as<uint8_t>(), in.as<uint8_t>(), in.shape[0], in.shape[1], std::clamp(quality_[sample], 1, 100),
                    scratch);
  }

 private:
  PerSample<int32_t> quality_;
};

}  // namespace penstock
