#include "codecs/jpeg/huffman_table.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace penstock {
namespace {

bool is_same(const JHUFF_TBL& a, const JHUFF_TBL& b) {
  return std::memcmp(a.bits, b.bits, sizeof a.bits) == 0 && std::memcmp(a.huffval, b.huffval, sizeof a.huffval) == 0;
}

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
  list_singles(kind);
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

void HuffmanTable::list_singles(Kind kind) {
  singles_.fill({});
  uint32_t code = 0;
  int symbol = 0;
  for (int length = 1; length <= kLookup; ++length, code <<= 1)
    for (int i = 0; i < source_.bits[length]; ++i, ++code, ++symbol) {
      const HuffmanSymbol found(source_.huffval[symbol], length);
      const unsigned bits = found.total_bits(), value_bits = found.value_bits();
      const bool ends_block = kind == Kind::ac && found.ends_block();
      const unsigned skip = ends_block ? 0 : found.run();
      const uint32_t repeats = 1u << (kLookup - length);
      std::fill_n(&singles_[code * repeats], repeats,
                  Single{CoefficientPair::second(bits, value_bits, skip, ends_block), static_cast<uint8_t>(length),
                         static_cast<uint8_t>(value_bits), static_cast<uint8_t>(bits), static_cast<uint8_t>(skip)});
    }
}

void HuffmanTable::build_pairs(const HuffmanTable& ac) {
  if (has_pairs_ && is_same(ac.source_, source_behind_)) return;
  source_behind_ = ac.source_;
  has_pairs_ = true;
  for (uint32_t k = 0; k < singles_.size();) {
    const Single first = singles_[k];
    if (first.code_bits > kLookup) {
      pairs_[k++] = CoefficientPair::unfit();
      continue;
    }
    const bool ends_block = first.second.ends_block();
    const CoefficientPair alone = first.bits > kPairBits
                                      ? CoefficientPair::unfit()
                                      : CoefficientPair::second(first.bits, first.value_bits, first.skip, ends_block);
    const bool is_whole = first.bits <= kLookup;
    const uint32_t repeats = 1u << (kLookup - (is_whole ? first.bits : first.code_bits));
    if (!is_whole || first.value_bits > CoefficientPair::kFirstBits || ends_block) {
      std::fill_n(&pairs_[k], repeats, alone);
    } else {
      const int value =
          HuffmanSymbol(first.value_bits, first.code_bits).value(static_cast<uint64_t>(k) << (64 - kLookup));
      for (uint32_t i = 0; i < repeats; ++i) {
        const Single& second = ac.singles_[i << first.bits];
        const bool fits = first.bits + second.code_bits <= kLookup && first.bits + second.bits <= kPairBits;
        pairs_[k + i] = fits ? second.second.behind(first.bits, first.skip, value) : alone;
      }
    }
    k += repeats;
  }
}

}  // namespace penstock
