// An array as a file keeps it: where it lies and how its elements are written.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "codecs/byte_source.h"
#include "memory/view.h"

namespace penstock {

/// What stored elements mean: themselves, themselves and half their range, or zero + scale * themselves.
enum class Meaning : uint8_t { plain, offset_by_half, scaled };

struct StoredArray {
  DType stored = DType::u8;    // elements in the file
  DType dtype = DType::u8;     // what they are handed out as
  Shape shape;                 // as it is handed out
  int64_t offset = 0;          // of the first element
  bool big_endian = false;     // the most significant byte first
  bool columns_first = false;  // neighbours in the file are neighbours along the first axis
  Meaning meaning = Meaning::plain;
  double scale = 1, zero = 0;
  std::optional<int64_t> blank;  // stored for elements without a value

  int64_t bytes() const { return shape.volume() * item_bytes(stored); }
};

/// Finds an array in a file. Throws where it is none, or one that is not all there.
class ArrayFormat {
 public:
  virtual ~ArrayFormat() = default;
  virtual StoredArray find(ByteSource& file) const = 0;
};

/// Extents beyond this cannot be meant, and neither can their product: sizes stay 64-bit numbers.
constexpr int64_t kMostElements = int64_t{1} << 56;

/// Whether the extents of a shape, zeros aside, stay countable when multiplied in any order.
inline bool is_countable(const Shape& shape) {
  int64_t elements = 1;
  for (int axis = 0; axis < shape.ndim; ++axis) {
    if (shape[axis] > 1 && elements > kMostElements / shape[axis]) return false;
    if (shape[axis] > 1) elements *= shape[axis];
  }
  return true;
}

/// Throws unless the whole array is in the file.
inline void require_all_there(const StoredArray& array, int64_t file_bytes) {
  if (array.offset <= file_bytes && array.bytes() <= file_bytes - array.offset) return;
  throw std::runtime_error("the array takes " + std::to_string(array.bytes()) + " bytes from byte " +
                           std::to_string(array.offset) + " on, the file ends at byte " + std::to_string(file_bytes));
}

}  // namespace penstock
