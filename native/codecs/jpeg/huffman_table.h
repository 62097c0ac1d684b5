// Huffman codes of a JPEG as tables that are looked up with several bits at once.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "codecs/jpeg/libjpeg.h"
#include "cpu/vectorize.h"

namespace penstock {

/// Whether two tables have the same codes.
bool is_same(const JHUFF_TBL& a, const JHUFF_TBL& b);

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

/// Two coefficients at the top of the stream, or one, which is then the second. Of the second only the code has to fit
/// into the lookup: its value is taken from the stream. The end of a block is a second coefficient of 0 at the next
/// place, marked.
class CoefficientPair {
 public:
  /// Of the first value's magnitude, and of the second's: that of a difference of DC coefficients has no more.
  static constexpr unsigned kFirstBits = 7, kSecondBits = 11;
  /// Added to the advance where the block ends.
  static constexpr unsigned kEndsBlock = 128;

  CoefficientPair() = default;

  /// For a symbol that does not fit: no bits, and an advance that leads out of any block.
  static constexpr CoefficientPair unfit() { return {0, 0, 255, 0}; }
  /// A pair without its first coefficient.
  static constexpr CoefficientPair second(unsigned bits, unsigned value_bits, unsigned skip, bool ends_block) {
    return {bits, value_bits, skip + 1 + (ends_block ? kEndsBlock : 0), 0};
  }
  /// The same behind a first coefficient.
  CoefficientPair behind(unsigned bits, unsigned skip, int value) const {
    return {bits_ + bits, sizes_ | skip << 4, advance_ + skip + 1, value};
  }
  /// What the value of the first adds to a pair, as a number of 32 bits.
  static uint32_t first_value(int value) { return CoefficientPair(0, 0, 0, value).packed(); }
  uint32_t packed() const { return std::bit_cast<uint32_t>(*this); }

 private:
  friend class PairLookup;
  constexpr CoefficientPair(unsigned bits, unsigned sizes, unsigned advance, int first)
      : bits_(static_cast<uint8_t>(bits)),
        sizes_(static_cast<uint8_t>(sizes)),
        advance_(static_cast<uint8_t>(advance)),
        first_(static_cast<int8_t>(first)) {}

  uint8_t bits_ = 0, sizes_ = 0, advance_ = 0;
  int8_t first_ = 0;
};
static_assert(sizeof(CoefficientPair) == 4);

/// Pairs by the next bits of the stream. The lookups of an image fit into the nearest cache. Each field has an array of
/// bytes, for which the index needs no scaling: the address units of some CPUs (Zen 4) take a cycle more for that, and
/// every lookup waits for the bits of the last. Shifts and masks would take longer than the loads, too, of which a CPU
/// does several at once.
class PairLookup {
 public:
  /// How many bits are looked up at once; 9 was 2 % slower, 11 no faster.
  static constexpr int kWidth = 10;
  using Pairs = std::array<CoefficientPair, 1 << kWidth>;

  constexpr void set(const Pairs& pairs) {
    for (size_t i = 0; i < pairs.size(); ++i) {
      bits_[i] = pairs[i].bits_;
      sizes_[i] = pairs[i].sizes_;
      advances_[i] = pairs[i].advance_;
      firsts_[i] = pairs[i].first_;
    }
  }

  /// How many bits to drop.
  uint32_t bits(size_t index) const { return bits_[index]; }
  /// The bits of the second value, and above these four bits how many coefficients are skipped before the first.
  uint32_t sizes(size_t index) const { return sizes_[index]; }
  /// From the place of the next coefficient to the one behind the second.
  unsigned advance(size_t index) const { return advances_[index]; }
  int16_t first(size_t index) const { return firsts_[index]; }

 private:
  std::array<uint8_t, 1 << kWidth> bits_{}, sizes_{}, advances_{};
  std::array<int8_t, 1 << kWidth> firsts_{};
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
  HuffmanSymbol symbol(uint64_t bits) const { return symbol(short_code(bits), bits); }

  /// Codes up to this length are looked up as one symbol. The tables share the nearest cache, over all of which the
  /// bits behind a code spread the lookups: with 11 bits decoding took 3 % longer.
  static constexpr int kShortCode = 8;
  /// The same in two steps: the lookup need not wait for a refill that completes the rest of `bits`.
  static size_t short_code(uint64_t bits) { return bits >> (64 - kShortCode); }
  HuffmanSymbol symbol(size_t short_code, uint64_t bits) const {
    const HuffmanSymbol found = symbols_[short_code];
    return found ? found : long_code(bits);
  }

  /// What it was built from.
  const JHUFF_TBL& source() const { return source_; }

  /// The coefficients by the next bits.
  const PairLookup& pairs() const { return pairs_; }

  /// How many bits a pair takes at most: two pairs are decoded from what one refill leaves, and the next is looked up.
  static constexpr unsigned kPairBits = 23;

 private:
  static constexpr int kLookup = PairLookup::kWidth;

  HuffmanSymbol long_code(uint64_t bits) const;
  void list_short_codes(Kind kind);

  /// A code that fits into a lookup.
  struct ShortCode {
    uint8_t code_bits, value_bits, bits, skip;
    bool ends_block;

    bool can_be_second() const { return value_bits <= CoefficientPair::kSecondBits; }
  };
  static void fill_pairs(CoefficientPair* out, const ShortCode& first, const HuffmanTable& ac, CoefficientPair alone);

  std::array<HuffmanSymbol, 1 << kShortCode> symbols_;
  PairLookup pairs_;
  std::array<uint32_t, 17> codes_end_{};    // by code length: the first code beyond, left-aligned in 16 bits
  std::array<int, 17> first_symbol_{};      // by code length: what to add to a code to find its symbol
  std::array<ShortCode, 256> short_codes_;  // in their order, which is the order of the lookup
  int short_code_count_ = 0;
  JHUFF_TBL source_{}, source_behind_{};  // what the symbols are built from, and the second ones of the pairs
  bool has_pairs_ = false;
};

}  // namespace penstock
