// The bits of a JPEG's entropy-coded data, as decoders of Huffman codes look at them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/vectorize.h"

namespace penstock {

/// The next bits of a stream, topmost first.
class BitWindow {
 public:
  BitWindow() = default;
  explicit BitWindow(const uint8_t* stream) : next_(stream) {}

  uint64_t bits() const { return bits_; }
  /// Drops as many bits as the lowest six bits of `n` say.
  PENSTOCK_INLINE void drop(uint64_t n) {
    bits_ <<= n & 63;
    count_ -= n;
  }

  /// Leaves at least 56 bits in the window. The stream must have 8 bytes to spare.
  PENSTOCK_INLINE void refill() {
    look_ahead();
    next_ += ~count_ >> 3 & 7;
    count_ |= 56;
  }

  /// The same where no more has been dropped than there was, whatever the data: one instruction less.
  PENSTOCK_INLINE void refill_unwrapped() {
    look_ahead();
    next_ += 7 - (count_ >> 3);
    count_ |= 56;
  }

  /// How many bits have been dropped since the window stood at `stream`.
  size_t dropped_since(const uint8_t* stream) const { return 8 * static_cast<size_t>(next_ - stream) - (count_ & 63); }

 private:
  PENSTOCK_INLINE void look_ahead() {
    uint64_t ahead = 0;
    for (int i = 0; i < 8; ++i) ahead = ahead << 8 | next_[i];
    bits_ |= ahead >> (count_ & 63);
  }

  uint64_t bits_ = 0;
  uint64_t count_ = 0;  // its lowest six bits; all of it unless more was dropped than there was
  const uint8_t* next_ = nullptr;
};

}  // namespace penstock
