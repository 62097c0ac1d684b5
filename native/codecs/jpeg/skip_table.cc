#include "codecs/jpeg/skip_table.h"

#include <algorithm>

namespace penstock {

void SkipTable::build(const JHUFF_TBL& dc, const JHUFF_TBL& ac) {
  const bool has_ac = is_same(ac, ac_source_);
  if (has_ac && is_same(dc, dc_source_)) return;
  if (!has_ac) {
    constexpr int kExtra = kMostBits - kAcLookup;
    // What follows a code of one bit, which few tables have, is left to the next lookup.
    for (int width = 1; width <= kAcLookup - 2; ++width) fill(&ac_[1 << width], width, kExtra, ac, true, {});
    fill(&ac_[1 << kAcLookup], kAcLookup, kExtra, ac, true, SkippedCodes::unfit());
  }
  fill_starts(dc);
  ac_source_ = ac;
  dc_source_ = dc;
}

void SkipTable::fill_starts(const JHUFF_TBL& dc) {
  std::array<SkippedCodes, 1 << kDcLookup> codes;
  fill(codes.data(), kDcLookup, kMostBits - kDcLookup, dc, false, SkippedCodes::unfit());
  int filled = 0, index = 0;
  const auto add = [&](int end, HuffmanSymbol symbol) {
    for (; filled < end; ++filled) starts_[filled] = SkippedStart(codes[filled], symbol);
  };
  for (int length = 1; length <= kDcLookup; ++length)
    for (int i = 0; i < dc.bits[length]; ++i)
      add(filled + (1 << (kDcLookup - length)), HuffmanSymbol(dc.huffval[index++], length));
  add(1 << kDcLookup, {});
}

// What follows a value is the same for all values of a code.
void SkipTable::fill(SkippedCodes* out, int width, int extra, const JHUFF_TBL& table, bool is_ac, SkippedCodes none) {
  SkippedCodes* const end = out + (1 << width);
  unsigned farthest = 0;
  int index = 0;
  for (int length = 1; length <= width; ++length)
    for (int i = 0; i < table.bits[length]; ++i, ++index) {
      const HuffmanSymbol symbol(table.huffval[index], length);
      const int bits = symbol.total_bits(), left = width - bits;
      const int count = 1 << (width - length);
      const unsigned advance = symbol.run() + 1;
      if (is_ac && symbol.ends_block()) {
        std::fill_n(out, count, SkippedCodes(bits, 1 + SkippedCodes::kEndsBlock));
      } else if (bits > width + extra) {
        std::fill_n(out, count, none);
      } else if (left <= 0 || bits < 2 || advance + farthest_[left] >= DCTSIZE2) {
        std::fill_n(out, count, SkippedCodes(bits, advance));
        farthest = std::max(farthest, advance);
      } else {
        const SkippedCodes first(bits, advance);
        const int row = 1 << left;
        const SkippedCodes* behind = &ac_[row];
        for (SkippedCodes* to = out; to != out + count; to += row)
          for (int k = 0; k < row; ++k) to[k] = first + behind[k];
        farthest = std::max(farthest, advance + farthest_[left]);
      }
      out += count;
    }
  std::fill(out, end, none);
  if (is_ac) farthest_[width] = farthest;
}

}  // namespace penstock
