#include "kernels/color/debayer_step.h"

#include <stdexcept>
#include <string>

#include "kernels/color/debayer.h"

namespace penstock {

Spec Debayer::infer(size_t sample, const Spec& in, ConstView) const {
  const int32_t row = blue_[sample][0], column = blue_[sample][1];
  if (row < 0 || row > 1 || column < 0 || column > 1)
    throw std::runtime_error("The `blue_position` position must lie within 2x2 tile, got: " + std::to_string(row) +
                             " x " + std::to_string(column));
  const Shape& shape = in.shape;
  if (shape.ndim == 3 && shape[2] != 1)
    throw std::runtime_error("debayer takes images of one channel, got " + std::to_string(shape[2]) +
                             "; sequences of images need the layout 'FHW'");
  if (shape.ndim < 2 || shape.ndim > 3) throw std::invalid_argument("debayer takes images");
  if (shape[0] % 2 || shape[1] % 2)
    throw std::runtime_error("The height and width of the image to debayer must be even, got " +
                             std::to_string(shape[0]) + " x " + std::to_string(shape[1]));
  return {in.dtype, Shape{3, {shape[0], shape[1], 3}}};
}

void Debayer::run(size_t sample, View out, ConstView in, Scratch& scratch) const {
  debayer(out, in, blue_[sample][0], blue_[sample][1], scratch);
}

}  // namespace penstock
