// How often each value occurs in the channels of an 8-bit image.
#pragma once

#include "kernels/step.h"

namespace penstock {

/// Counts of the values 0 to 255 for each channel, as C, 256 numbers of 64 bits, of images with axes H, W, C.
class Histogram : public Step {
 public:
  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;
};

}  // namespace penstock
