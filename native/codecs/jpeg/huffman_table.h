// Huffman codes of a JPEG as tables that are looked up with several bits at once.
#pragma once

#include <array>
#include <cstdint>

#include "codecs/jpeg/libjpeg.h"

namespace penstock {

/// What a Huffman code stands for: zeros to skip, and a value whose bits follow the code.
class HuffmanSymbol {
 public:
  HuffmanSymbol() = default;
  HuffmanSymbol(int symbol, int code_bits) : packed_(symbol << 6 | (code_bits + (symbol & 15))) {}

  explicit operator bool() const { return packed_ != 0; }
  int run() const { return packed_ >> 10; }
  int value_bits() const { return packed_ >> 6 & 15; }
  int total_bits() const { return packed_ & 63; }

  /// The value of the symbol at the top of `bits`. A leading 0 marks a negative one.
  int value(uint64_t bits) const {
    const uint64_t top = bits << (total_bits() - value_bits());
    const int64_t negative = ~static_cast<int64_t>(top) >> 63;
    const int64_t magnitude = static_cast<int64_t>((top ^ negative) >> 1 >> (63 - value_bits()));
    return static_cast<int>((magnitude ^ negative) - negative);
  }

 private:
  uint16_t packed_ = 0;  // in one number, which stays in a register: run, bits of the value, bits of code and value
};

/// A Huffman table as lookups of the next bits of the stream.
class HuffmanTable {
 public:
  /// Takes a table that libjpeg has checked, with `pairs` if it is for AC. Free when it is the one already built.
  void build(const JHUFF_TBL& table, bool pairs);

  /// The symbol at the top of `bits`; false where there is no such code.
  HuffmanSymbol symbol(uint64_t bits) const {
    const HuffmanSymbol found = short_codes_[bits >> (64 - kShortCode)];
    return found ? found : long_code(bits);
  }

  /// Two AC coefficients at the top of the stream, or one and no more, then given twice with a second skip of 0.
  struct Pair {
    uint8_t total_bits, first_bits;  // total_bits is 0 where not even one symbol fits into the lookup
    uint8_t skips[2];                // from one coefficient's place to the next; kEndOfBlock where none follows
    int16_t values[2];
  };
  static constexpr int kEndOfBlock = 128;
  static constexpr int kPairBits = 10;

  Pair pair(uint64_t bits) const { return pairs_[bits >> (64 - kPairBits)]; }

 private:
  static constexpr int kShortCode = 10;

  HuffmanSymbol long_code(uint64_t bits) const;
  Pair make_pair(uint64_t bits) const;

  std::array<HuffmanSymbol, 1 << kShortCode> short_codes_;
  std::array<Pair, 1 << kPairBits> pairs_;
  std::array<uint32_t, 17> codes_end_{};  // by code length: the first code beyond, left-aligned in 16 bits
  std::array<int, 17> first_symbol_{};    // by code length: what to add to a code to find its symbol
  JHUFF_TBL source_{};
};

}  // namespace penstock
