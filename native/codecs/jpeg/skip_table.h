// Huffman codes of a JPEG as tables for stepping over blocks: how far the next codes lead, without their values.
#pragma once

#include <array>
#include <cstdint>

#include "codecs/jpeg/huffman_table.h"
#include "codecs/jpeg/libjpeg.h"

namespace penstock {

/// As many whole codes, each with the bits of its value, as the bits of a lookup show. Of the last only the code has to
/// be among these bits.
struct SkippedCodes {
  /// Added to the advance where the block ends.
  static constexpr unsigned kEndsBlock = 128;

  uint8_t bits = 0;     ///< how many to drop
  uint8_t advance = 0;  ///< from the place of the next coefficient to the one behind the last; the end counts as one

  /// For a code that does not fit: no bits, and an advance that leads out of any block.
  static constexpr SkippedCodes unfit() { return {0, 255}; }
};

/// Skipped codes by the next `width` bits. Each field has an array of its own: where bytes are looked up the index
/// needs no scaling, for which the address units of some CPUs (Zen 4) take a cycle more, and every lookup waits for the
/// last.
template <int width>
struct SkippedCodesLookup {
  std::array<uint8_t, 1 << width> bits, advance;
};

/// The first codes of a block. Of that of the DC coefficient, whose value is needed, it is also known how many bits
/// there are with those of the value, and how many these are: no more than kValueBits.
template <int width>
struct SkippedStartLookup : SkippedCodesLookup<width> {
  static constexpr int kValueBits = CoefficientPair::kSecondBits;
  std::array<uint8_t, 1 << width> dc_bits, dc_value_bits;
};

/// The codes of AC coefficients, and those of DC coefficients with AC behind them.
class SkipTable {
 public:
  /// How many bits are looked up at once. The tables of an image share the nearest cache with the stream.
  static constexpr int kAcLookup = 12, kDcLookup = 9;
  /// How many bits are dropped at most: two lookups are made from what one refill leaves, and the index of the next.
  static constexpr int kMostBits = 22;

  /// From sound tables. Free where they are those already built.
  void build(const JHUFF_TBL& dc, const JHUFF_TBL& ac);

  /// By the next kDcLookup and kAcLookup bits.
  const SkippedStartLookup<kDcLookup>& starts() const { return starts_; }
  const SkippedCodesLookup<kAcLookup>& ac() const { return ac_; }

 private:
  /// Where the skipped codes of one lookup, or of a part of it, stand.
  struct Target {
    uint8_t *bits, *advance;

    void fill(int count, SkippedCodes codes) const;
  };
  Target behind(int width) { return {&behind_.bits[1 << width], &behind_.advance[1 << width]}; }

  void fill_starts(const JHUFF_TBL& dc);
  /// Fills the lookup of `width` bits, of which codes may take `extra` more.
  void fill(Target out, int width, int extra, const JHUFF_TBL& table, bool is_ac, SkippedCodes none);

  SkippedCodesLookup<kAcLookup> ac_;
  SkippedCodesLookup<kAcLookup - 1> behind_;  // what follows a code: those of n bits stand from 1 << n on
  SkippedStartLookup<kDcLookup> starts_;
  std::array<unsigned, kAcLookup + 1> farthest_{};  // by the bits of the lookup: the largest advance within a block
  JHUFF_TBL ac_source_{}, dc_source_{};
};

}  // namespace penstock
