#include "codecs/records/caffe_datum.h"

namespace penstock {
namespace {

enum : uint32_t { kChannels = 1, kHeight, kWidth, kData, kLabel, kFloatData, kEncoded };

}  // namespace

Datum parse_datum(Bytes message) {
  Datum made;
  for (Message rest(message); !rest.ended();) {
    const auto [number, wire] = rest.field();
    if (number == kData && wire == Wire::bytes) {
      made.data = rest.submessage();
    } else if (wire == Wire::varint && number != kData && number != kFloatData && number <= kEncoded) {
      const auto value = static_cast<int32_t>(rest.varint());
      if (number == kChannels) made.channels = value;
      if (number == kHeight) made.height = value;
      if (number == kWidth) made.width = value;
      if (number == kLabel) made.label = value;
      if (number == kEncoded) made.encoded = value != 0;
    } else {
      made.has_floats = made.has_floats || number == kFloatData;
      rest.skip(wire);
    }
  }
  return made;
}

// By division: the product of what a message says may be any number.
Shape pixels_shape(std::array<int64_t, 3> extents, int64_t bytes) {
  int64_t left = bytes;
  for (const int64_t extent : extents) left = extent > 0 && left % extent == 0 ? left / extent : 0;
  const auto& [height, width, channels] = extents;
  if (left != 1)
    throw std::runtime_error("the image of " + std::to_string(height) + "x" + std::to_string(width) + "x" +
                             std::to_string(channels) + " pixels has " + std::to_string(bytes) + " bytes");
  return {3, {height, width, channels}};
}

Shape Datum::shape() const {
  if (!data)
    throw std::runtime_error(has_floats ? "the image is made of floats; bytes can be read" : "there is no image");
  const auto bytes = static_cast<int64_t>(data->size());
  if (encoded.value_or(true)) return {1, {bytes}};
  return pixels_shape({height, width, channels}, bytes);
}

}  // namespace penstock
