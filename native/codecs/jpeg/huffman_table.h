// Huffman codes of a JPEG as tables that are looked up with several bits at once.
#pragma once

#include <array>
#include <cstdint>

#include "codecs/jpeg/libjpeg.h"
#include "cpu/vectorize.h"

namespace penstock {

/// What a Huffman code stands for: zeros to skip, and a value whose bits follow the code.
class HuffmanSymbol {
 public:
  HuffmanSymbol() = default;
  HuffmanSymbol(int symbol, int code_bits) : packed_(symbol << 6 | (code_bits + (symbol & 15))) {}
  explicit HuffmanSymbol(uint16_t packed) : packed_(packed) {}

  uint16_t packed() const { return packed_; }

  explicit operator bool() const { return packed_ != 0; }
  int run() const { return packed_ >> 10; }
  int value_bits() const { return packed_ >> 6 & 15; }
  int total_bits() const { return packed_ & 63; }
  bool ends_block() const { return value_bits() == 0 && run() != 15; }

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

/// Two coefficients at the top of the stream, or one and no more, which is then the second, with a skip of 0 to it. Of
/// the second only the code has to fit into the lookup: its value is taken from the stream. The end of a block is a
/// second coefficient of 0 at the next place, marked. Packed into 32 bits: the tables of an image fit into the nearest
/// cache. The bits to drop are lowest, where a shift takes its count from, because everything waits for them.
class CoefficientPair {
 public:
  /// Of the first value's magnitude.
  static constexpr unsigned kFirstBits = 9;

  CoefficientPair() = default;

  /// For a symbol that does not fit: no bits, and a skip that leads out of the block, so that one branch is enough.
  static constexpr CoefficientPair unfit() { return second(0, 0, 63, false); }
  /// A pair without its first coefficient.
  static constexpr CoefficientPair second(unsigned bits, unsigned value_bits, unsigned skip, bool ends_block) {
    return CoefficientPair(bits | value_bits << 6 | skip << 14 | static_cast<uint32_t>(ends_block) << 20);
  }
  /// The same behind a first coefficient, or behind one of no bits in the same place.
  CoefficientPair behind(unsigned bits, unsigned skip, int value) const {
    return CoefficientPair(packed_ + (bits | skip << 10 | static_cast<uint32_t>(value) << 22));
  }

  bool ends_block() const { return (packed_ & 1u << 20) != 0; }
  /// How many bits to drop, in the lowest six of the number.
  uint32_t bits() const { return packed_; }
  /// Coefficients between the last one's place and the first, and from there to the second's place.
  unsigned first_skip() const { return packed_ >> 10 & 15; }
  unsigned second_skip() const { return packed_ >> 14 & 63; }
  int16_t first() const { return static_cast<int16_t>(static_cast<int32_t>(packed_) >> 22); }
  /// The second value; `bits` are those the pair was looked up with. A leading 0 marks a negative one.
  PENSTOCK_INLINE int16_t second(uint64_t bits) const {
    const int64_t beyond = int64_t{1} << (packed_ >> 6 & 15);
    const int64_t value = static_cast<int64_t>(bits >> (-packed_ & 63)) & (beyond - 1);
    const int64_t negative = (2 * value - beyond) >> 63;
    return static_cast<int16_t>(value + (negative & (1 - beyond)));
  }

 private:
  explicit constexpr CoefficientPair(uint32_t packed) : packed_(packed) {}

  uint32_t packed_ = 0;
};

/// A Huffman table as lookups of the next bits of the stream.
class HuffmanTable {
 public:
  enum class Kind { dc, ac };

  /// False where `table` is damaged. Free when it is the one already built.
  bool build(const JHUFF_TBL& table, Kind kind);
  /// Builds the pairs of one of these symbols and one of `ac` behind it. Free when they are those already built.
  void build_pairs(const HuffmanTable& ac);

  /// The symbol at the top of `bits`; false where there is no such code.
  HuffmanSymbol symbol(uint64_t bits) const {
    const HuffmanSymbol found = symbols_[bits >> (64 - kShortCode)];
    return found ? found : long_code(bits);
  }

  /// The coefficients by the next kLookup bits.
  const CoefficientPair* pairs() const { return pairs_.data(); }

  /// How many bits are looked up at once; 9 and 11 were 2 % slower.
  static constexpr int kLookup = 10;
  /// How many bits a pair takes at most: three pairs are decoded from what one refill leaves.
  static constexpr unsigned kPairBits = 18;

 private:
  /// Codes up to this length are looked up as one symbol. The tables share the nearest cache, over all of which the
  /// bits behind a code spread the lookups: with 11 bits decoding took 3 % longer.
  static constexpr int kShortCode = 8;

  HuffmanSymbol long_code(uint64_t bits) const;
  void list_singles(Kind kind);

  /// A symbol at the top of a lookup.
  struct Single {
    CoefficientPair second;  // what it is behind another coefficient
    uint8_t code_bits = kLookup + 1, value_bits = 0, bits = 0, skip = 0;
  };
  std::array<HuffmanSymbol, 1 << kShortCode> symbols_;
  std::array<CoefficientPair, 1 << kLookup> pairs_;
  std::array<uint32_t, 17> codes_end_{};  // by code length: the first code beyond, left-aligned in 16 bits
  std::array<int, 17> first_symbol_{};    // by code length: what to add to a code to find its symbol
  std::array<Single, 1 << kLookup> singles_;
  JHUFF_TBL source_{}, source_behind_{};  // what the symbols are built from, and the second ones of the pairs
  bool has_pairs_ = false;
};

}  // namespace penstock
