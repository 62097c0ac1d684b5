// Datum, the protobuf message in an LMDB of Caffe: an image and its label.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "codecs/records/protobuf.h"
#include "memory/view.h"

namespace penstock {

struct Datum {
  std::optional<Bytes> data;
  std::optional<int32_t> label;
  int64_t channels = 0, height = 0, width = 0;
  bool has_floats = false;
  std::optional<bool> encoded;

  /// Of the image: that of a file's bytes unless it is said not to be encoded. Throws where pixels are missing.
  Shape shape() const;
};

Datum parse_datum(Bytes message);

/// Height, width and channels of an image of so many bytes. Throws where it would have another number of them.
Shape pixels_shape(std::array<int64_t, 3> extents, int64_t bytes);

}  // namespace penstock
