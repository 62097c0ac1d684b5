// Bits from the first to the last of each byte, as FLAC packs them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <span>

#include "cpu/vectorize.h"

namespace penstock {

/// Raised where bits are asked for that are not there.
class OutOfBits : public std::exception {
 public:
  const char* what() const noexcept override { return "it ends too early"; }
};

class BitReader {
 public:
  explicit BitReader(std::span<const std::byte> bytes) : next_(bytes.data()), end_(bytes.data() + bytes.size()) {
    size_ = bytes.size();
  }

  /// Makes sure of 56 bits, zeros behind the end. `require` tells afterwards whether too many were taken.
  PENSTOCK_INLINE void refill() {
    if (end_ - next_ >= 8) {
      uint64_t word;
      std::memcpy(&word, next_, 8);
      bits_ |= __builtin_bswap64(word) >> count_;
      next_ += (63 - count_) >> 3;
      count_ |= 56;
      return;
    }
    while (count_ < 56) {
      if (next_ < end_)
        bits_ |= static_cast<uint64_t>(*next_++) << (56 - count_);
      else
        ++missing_;
      count_ += 8;
    }
  }

  /// The first of the bits to come is the first of the word; what lies behind 56 of them may be missing.
  uint64_t ahead() const { return bits_; }
  void skip(int n) {
    bits_ <<= n;
    count_ -= n;
  }

  PENSTOCK_INLINE uint32_t take(int n) {
    if (n == 0) return 0;
    refill();
    const auto value = static_cast<uint32_t>(bits_ >> (64 - n));
    skip(n);
    require();
    return value;
  }
  int32_t take_signed(int n) { return n == 0 ? 0 : static_cast<int32_t>(take(n) << (32 - n)) >> (32 - n); }

  /// How many zeros come before the next one, which is taken too.
  PENSTOCK_INLINE uint32_t take_unary() {
    uint32_t zeros = 0;
    for (refill(); bits_ == 0 || std::countl_zero(bits_) >= 56; refill()) {
      zeros += 56;
      skip(56);
      require();
    }
    const int more = std::countl_zero(bits_);
    skip(more + 1);
    require();
    return zeros + static_cast<uint32_t>(more);
  }

  void align() { skip(count_ & 7); }
  /// Bytes taken, the last one perhaps in part.
  size_t position() const {
    return size_ - static_cast<size_t>(end_ - next_) + missing_ - static_cast<size_t>(count_ >> 3);
  }
  void require() const {
    if (static_cast<int64_t>(missing_) * 8 > count_) throw OutOfBits();
  }

 private:
  const std::byte *next_, *end_;
  size_t size_, missing_ = 0;
  uint64_t bits_ = 0;
  int count_ = 0;
};

}  // namespace penstock
