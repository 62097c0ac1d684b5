#include "codecs/jpeg/huffman_table.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace penstock {

bool is_same(const JHUFF_TBL& a, const JHUFF_TBL& b) {
  return std::memcmp(a.bits, b.bits, sizeof a.bits) == 0 && std::memcmp(a.huffval, b.huffval, sizeof a.huffval) == 0;
}

namespace {

// The rules libjpeg has for tables.
bool is_sound(const JHUFF_TBL& table, HuffmanTable::Kind kind) {
  uint32_t code = 0;
  for (int length = 1; length <= 16; ++length, code <<= 1) {
    code += table.bits[length];
    if (table.bits[length] != 0 && code > 1u << length) return false;
  }
  const int symbols = std::accumulate(table.bits + 1, table.bits + 17, 0);
  if (symbols > 256) return false;
  constexpr UINT8 kLargestDc = 15;
  return kind == HuffmanTable::Kind::ac ||
         std::all_of(table.huffval, table.huffval + symbols, [](UINT8 symbol) { return symbol <= kLargestDc; });
}

}  // namespace

bool HuffmanTable::build(const JHUFF_TBL& table, Kind kind) {
  if (is_same(table, source_)) return true;
  if (!is_sound(table, kind)) return false;
  source_ = table;
  symbols_.fill({});
  uint32_t code = 0;
  int symbol = 0;
  for (int length = 1; length <= 16; ++length, code <<= 1) {
    first_symbol_[length] = symbol - static_cast<int>(code);
    for (int i = 0; i < table.bits[length]; ++i, ++code, ++symbol) {
      if (length > kShortCode) continue;
      const uint32_t repeats = 1u << (kShortCode - length);
      std::fill_n(&symbols_[code * repeats], repeats, HuffmanSymbol(table.huffval[symbol], length));
    }
    codes_end_[length] = code << (16 - length);
  }
  list_short_codes(kind);
  has_pairs_ = false;
  return true;
}

HuffmanSymbol HuffmanTable::long_code(uint64_t bits) const {
  const uint32_t top = static_cast<uint32_t>(bits >> 48);
  int length = kShortCode + 1;
  for (int shorter = kShortCode + 1; shorter <= 16; ++shorter) length += top >= codes_end_[shorter];
  if (length > 16) return {};
  return HuffmanSymbol(source_.huffval[(first_symbol_[length] + (top >> (16 - length))) & 255], length);
}

void HuffmanTable::list_short_codes(Kind kind) {
  short_code_count_ = 0;
  int symbol = 0;
  for (int length = 1; length <= kLookup; ++length)
    for (int i = 0; i < source_.bits[length]; ++i, ++symbol) {
      const HuffmanSymbol found(source_.huffval[symbol], length);
      const bool ends_block = kind == Kind::ac && found.ends_block();
      short_codes_[short_code_count_++] = {static_cast<uint8_t>(length), static_cast<uint8_t>(found.value_bits()),
                                           static_cast<uint8_t>(found.total_bits()),
                                           static_cast<uint8_t>(ends_block ? 0 : found.run()), ends_block};
    }
}

void HuffmanTable::build_pairs(const HuffmanTable& ac) {
  if (has_pairs_ && is_same(ac.source_, source_behind_)) return;
  source_behind_ = ac.source_;
  has_pairs_ = true;
  PairLookup::Pairs pairs;
  CoefficientPair* out = pairs.data();
  for (int i = 0; i < short_code_count_; ++i) {
    const ShortCode& code = short_codes_[i];
    const bool fits = code.bits <= kPairBits && code.can_be_second();
    const CoefficientPair alone = fits ? CoefficientPair::second(code.bits, code.value_bits, code.skip, code.ends_block)
                                       : CoefficientPair::unfit();
    const bool can_be_first =
        code.bits <= kLookup && code.value_bits <= CoefficientPair::kFirstBits && !code.ends_block;
    const int count = 1 << (kLookup - code.code_bits);
    if (can_be_first)
      fill_pairs(out, code, ac, alone);
    else
      std::fill_n(out, count, alone);
    out += count;
  }
  std::fill(out, pairs.data() + pairs.size(), CoefficientPair::unfit());
  pairs_.set(pairs);
}

// What follows a value is the same for all values of a code: it is found once and copied, as numbers, with each value.
void HuffmanTable::fill_pairs(CoefficientPair* out, const ShortCode& first, const HuffmanTable& ac,
                              CoefficientPair alone) {
  const unsigned bits_left = kLookup - first.bits;
  const int row = 1 << bits_left;
  std::array<uint32_t, 1 << kLookup> pairs, has_first;  // has_first: all bits of it set, or none
  int filled = 0;
  const auto fill = [&](int count, CoefficientPair pair, bool is_behind) {
    std::fill_n(&pairs[filled], count, pair.packed());
    std::fill_n(&has_first[filled], count, is_behind ? ~0u : 0u);
    filled += count;
  };
  for (int i = 0; i < ac.short_code_count_ && ac.short_codes_[i].code_bits <= bits_left; ++i) {
    const ShortCode& second = ac.short_codes_[i];
    const bool fits = first.bits + second.bits <= kPairBits && second.can_be_second();
    const auto pair = CoefficientPair::second(second.bits, second.value_bits, second.skip, second.ends_block);
    fill(1 << (bits_left - second.code_bits), fits ? pair.behind(first.bits, first.skip, 0) : alone, fits);
  }
  fill(row - filled, alone, false);
  const int mask = (1 << first.value_bits) - 1;
  for (int k = 0; k <= mask; ++k, out += row) {
    const uint32_t value = CoefficientPair::first_value(2 * k > mask ? k : k - mask);
    for (int i = 0; i < row; ++i) out[i] = std::bit_cast<CoefficientPair>(pairs[i] | (value & has_first[i]));
  }
}

}  // namespace penstock
