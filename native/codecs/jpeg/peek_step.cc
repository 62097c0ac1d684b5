#include "codecs/jpeg/peek_step.h"

#include "codecs/jpeg/jpeg.h"
#include "codecs/jpeg/jpeg_header.h"
#include "codecs/jpeg/orientation.h"
#include "kernels/elements/convert.h"

namespace penstock {

std::array<int64_t, 3> jpeg_shape(std::span<const std::byte> data, ColorType color, bool adjust_orientation) {
  const JpegHeader header = read_jpeg_header(data);
  const bool turned = adjust_orientation && Orientation(header.orientation).transposed;
  return {turned ? header.width : header.height, turned ? header.height : header.width,
          channels_of(color, header.components)};
}

void PeekJpeg::run(size_t, View out, ConstView in, Scratch&) const {
  const auto shape = jpeg_shape({in.data, static_cast<size_t>(in.bytes())}, color_, adjust_orientation_);
  rounding_conversion(dtype_, DType::i64)(out.data, reinterpret_cast<const std::byte*>(shape.data()), 3);
}

}  // namespace penstock
