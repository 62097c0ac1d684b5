#include "codecs/jpeg/skip_table.h"

#include <algorithm>

namespace penstock {

void SkipTable::build(const JHUFF_TBL& dc, const JHUFF_TBL& ac) {
  const bool has_ac = is_same(ac, ac_source_);
  if (has_ac && is_same(dc, dc_source_)) return;
  if (!has_ac) {
    constexpr int kExtra = kMostBits - kAcLookup;
    // What follows a code of one bit, which few tables have, is left to the next lookup.
    for (int width = 1; width <= kAcLookup - 2; ++width) fill(behind(width), width, kExtra, ac, true, {});
    fill({ac_.bits.data(), ac_.advance.data()}, kAcLookup, kExtra, ac, true, SkippedCodes::unfit());
  }
  fill_starts(dc);
  ac_source_ = ac;
  dc_source_ = dc;
}

void SkipTable::Target::fill(int count, SkippedCodes codes) const {
  std::fill_n(bits, count, codes.bits);
  std::fill_n(advance, count, codes.advance);
}

void SkipTable::fill_starts(const JHUFF_TBL& dc) {
  constexpr int kExtra = kMostBits - kDcLookup;
  fill({starts_.bits.data(), starts_.advance.data()}, kDcLookup, kExtra, dc, false, SkippedCodes::unfit());
  int filled = 0, index = 0;
  const auto add = [&](int count, HuffmanSymbol symbol) {
    std::fill_n(&starts_.dc_bits[filled], count, static_cast<uint8_t>(symbol.total_bits()));
    std::fill_n(&starts_.dc_value_bits[filled], count, static_cast<uint8_t>(symbol.value_bits()));
    filled += count;
  };
  for (int length = 1; length <= kDcLookup; ++length)
    for (int i = 0; i < dc.bits[length]; ++i)
      add(1 << (kDcLookup - length), HuffmanSymbol(dc.huffval[index++], length));
  if (filled < 1 << kDcLookup) add((1 << kDcLookup) - filled, {});
}

// What follows a value is the same for all values of a code.
void SkipTable::fill(Target out, int width, int extra, const JHUFF_TBL& table, bool is_ac, SkippedCodes none) {
  const uint8_t* const end = out.bits + (1 << width);
  unsigned farthest = 0;
  int index = 0;
  for (int length = 1; length <= width; ++length)
    for (int i = 0; i < table.bits[length]; ++i, ++index) {
      const HuffmanSymbol symbol(table.huffval[index], length);
      const int bits = symbol.total_bits(), left = width - bits;
      const int count = 1 << (width - length);
      const unsigned advance = symbol.run() + 1;
      const auto codes = [bits](unsigned to) {
        return SkippedCodes{static_cast<uint8_t>(bits), static_cast<uint8_t>(to)};
      };
      if (is_ac && symbol.ends_block()) {
        out.fill(count, codes(1 + SkippedCodes::kEndsBlock));
      } else if (bits > width + extra || (!is_ac && symbol.value_bits() > starts_.kValueBits)) {
        out.fill(count, none);
      } else if (left <= 0 || bits < 2 || advance + farthest_[left] >= DCTSIZE2) {
        out.fill(count, codes(advance));
        farthest = std::max(farthest, advance);
      } else {
        const int row = 1 << left;
        const Target next = behind(left);
        for (int to = 0; to < count; to += row)
          for (int k = 0; k < row; ++k) {
            out.bits[to + k] = static_cast<uint8_t>(bits + next.bits[k]);
            out.advance[to + k] = static_cast<uint8_t>(advance + next.advance[k]);
          }
        farthest = std::max(farthest, advance + farthest_[left]);
      }
      out = {out.bits + count, out.advance + count};
    }
  out.fill(static_cast<int>(end - out.bits), none);
  if (is_ac) farthest_[width] = farthest;
}

}  // namespace penstock
