#include "codecs/jpeg/huffman_table.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace penstock {
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
  if (std::memcmp(table.bits, source_.bits, sizeof table.bits) == 0 &&
      std::memcmp(table.huffval, source_.huffval, sizeof table.huffval) == 0)
    return true;
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
  if (kind == Kind::ac) build_pairs();
  return true;
}

HuffmanSymbol HuffmanTable::long_code(uint64_t bits) const {
  const uint32_t top = static_cast<uint32_t>(bits >> 48);
  for (int length = kShortCode + 1; length <= 16; ++length)
    if (top < codes_end_[length])
      return HuffmanSymbol(source_.huffval[(first_symbol_[length] + (top >> (16 - length))) & 255], length);
  return {};
}

void HuffmanTable::build_pairs() {
  std::array<Single, 1 << kLookup> singles;
  pairs_.fill({});
  uint32_t code = 0;
  int symbol = 0;
  for (int length = 1; length <= kLookup; ++length, code <<= 1)
    for (int i = 0; i < source_.bits[length]; ++i, ++code, ++symbol) {
      const HuffmanSymbol found(source_.huffval[symbol], length);
      const uint32_t begin = code << (kLookup - length), end = (code + 1) << (kLookup - length);
      if (found.total_bits() > kLookup || found.value_bits() > CoefficientPair::kValueBits) {
        std::fill_n(&pairs_[begin], end - begin, CoefficientPair(found));
        continue;
      }
      const auto skip = static_cast<uint8_t>(found.ends_block() ? CoefficientPair::kEndOfBlock : found.run());
      const uint32_t repeats = 1u << (kLookup - found.total_bits());
      for (uint32_t k = begin; k < end; k += repeats) {
        const int value = found.value(static_cast<uint64_t>(k) << (64 - kLookup));
        std::fill_n(&singles[k], repeats,
                    Single{static_cast<uint8_t>(found.total_bits()), skip, static_cast<int8_t>(value)});
      }
    }
  for (uint32_t k = 0; k < singles.size();) {
    const Single first = singles[k];
    if (first.bits > kLookup) {
      ++k;
      continue;
    }
    const uint32_t repeats = 1u << (kLookup - first.bits);
    const CoefficientPair alone(first.bits, first.skip, 0, first.value, first.value);
    const bool ends = first.skip == CoefficientPair::kEndOfBlock;
    for (uint32_t i = 0; i < repeats; ++i) {
      const Single second = singles[i << first.bits];
      const unsigned bits = first.bits + second.bits;
      const unsigned step = second.skip == CoefficientPair::kEndOfBlock ? second.skip : second.skip + 1u;
      const CoefficientPair both(bits, first.skip, step, first.value, second.value);
      pairs_[k + i] = ends || bits > kLookup ? alone : both;
    }
    k += repeats;
  }
}

}  // namespace penstock
