// Huffman codes of a JPEG as tables for stepping over blocks: how far the next codes lead, without their values.
#pragma once

#include <array>
#include <cstdint>

#include "codecs/jpeg/huffman_table.h"
#include "codecs/jpeg/libjpeg.h"
#include "cpu/opaque.h"

namespace penstock {

/// As many whole codes, each with the bits of its value, as the bits of a lookup show. Of the last only the code has to
/// be among these bits.
class SkippedCodes {
 public:
  /// Added to the advance where the block ends.
  static constexpr unsigned kEndsBlock = 128;

  SkippedCodes() = default;
  constexpr SkippedCodes(unsigned bits, unsigned advance) : packed_(static_cast<uint16_t>(bits | advance << 6)) {}

  /// For a code that does not fit: no bits, and an advance that leads out of any block.
  static constexpr SkippedCodes unfit() { return {0, 2 * kEndsBlock}; }

  /// `next`, which are not unfit, behind these.
  SkippedCodes operator+(SkippedCodes next) const {
    SkippedCodes sum;
    sum.packed_ = static_cast<uint16_t>(packed_ + next.packed_);
    return sum;
  }

  /// How many bits to drop, in the lowest six bits.
  uint32_t bits() const { return packed_; }
  /// From the place of the next coefficient to the one behind the last. The end of a block counts as one.
  unsigned advance() const { return opaque(uint32_t{packed_}) >> 6; }  // or it is shifted in 16 bits and widened again

  uint16_t packed() const { return packed_; }

 private:
  uint16_t packed_ = 0;
};

/// The first codes of a block, of which that of the DC coefficient is known by itself: its value is needed.
class SkippedStart {
 public:
  SkippedStart() = default;
  SkippedStart(SkippedCodes codes, HuffmanSymbol dc) : packed_(codes.packed() | uint32_t{dc.packed()} << 16) {}

  /// As those of SkippedCodes.
  uint32_t bits() const { return packed_; }
  unsigned advance() const { return packed_ >> 6 & 1023; }

  HuffmanSymbol dc() const { return HuffmanSymbol(static_cast<uint16_t>(packed_ >> 16)); }

 private:
  uint32_t packed_ = 0;
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
  const SkippedStart* starts() const { return starts_.data(); }
  const SkippedCodes* ac() const { return &ac_[1 << kAcLookup]; }

 private:
  void fill_starts(const JHUFF_TBL& dc);
  /// Fills the lookup of `width` bits, of which codes may take `extra` more.
  void fill(SkippedCodes* out, int width, int extra, const JHUFF_TBL& table, bool is_ac, SkippedCodes none);

  // Those of n bits stand from 1 << n on: shorter ones tell what follows a code.
  std::array<SkippedCodes, 2 << kAcLookup> ac_;
  std::array<SkippedStart, 1 << kDcLookup> starts_;
  std::array<unsigned, kAcLookup + 1> farthest_{};  // by the bits of the lookup: the largest advance within a block
  JHUFF_TBL ac_source_{}, dc_source_{};
};

}  // namespace penstock
