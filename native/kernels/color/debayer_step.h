// The step that makes colours from raw sensor images.
#pragma once

#include <utility>

#include "kernels/step.h"
#include "memory/per_sample.h"

namespace penstock {

/// Colours from images with axes H, W, and perhaps a single channel, by bilinear interpolation.
class Debayer : public Step {
 public:
  /// `blue` has rows of two: where blue is in the 2 x 2 tile that begins in the second row and column.
  explicit Debayer(PerSampleRows<int32_t> blue) : blue_(std::move(blue)) {}

  Spec infer(size_t sample, const Spec& in, ConstView) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;

 private:
  PerSampleRows<int32_t> blue_;
};

}  // namespace penstock
