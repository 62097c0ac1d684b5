// The shape a JPEG is decoded to, from its header: as a function and as a step.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "kernels/color/decoded_color.h"
#include "kernels/step.h"

namespace penstock {

/// Height, width and channels a JPEG is decoded to, read from its header.
std::array<int64_t, 3> jpeg_shape(std::span<const std::byte> data, ColorType color, bool adjust_orientation);

/// The same as an operation on samples.
class PeekJpeg : public Step {
 public:
  PeekJpeg(ColorType color, DType dtype, bool adjust_orientation)
      : color_(color), dtype_(dtype), adjust_orientation_(adjust_orientation) {}

  Spec infer(size_t, const Spec&, ConstView) const override { return {dtype_, {1, {3}}}; }
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;

 private:
  ColorType color_;
  DType dtype_;
  bool adjust_orientation_;
};

}  // namespace penstock
