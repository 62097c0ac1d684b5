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
  struct Single {
    CoefficientPair second;  // what it is behind another coefficient
    uint8_t code_bits = kLookup + 1, value_bits = 0, bits = 0, skip = 0;
  };
  std::array<Single, 1 << kLookup> singles;
  uint32_t code = 0;
  int symbol = 0;
  for (int length = 1; length <= kLookup; ++length, code <<= 1)
    for (int i = 0; i < source_.bits[length]; ++i, ++code, ++symbol) {
      const HuffmanSymbol found(source_.huffval[symbol], length);
      const unsigned bits = found.total_bits(), value_bits = found.value_bits();
      const unsigned skip = found.ends_block() ? CoefficientPair::kEndOfBlock : found.run();
      const unsigned step = found.ends_block() ? skip : skip + 1;
      const uint32_t repeats = 1u << (kLookup - length);
      std::fill_n(&singles[code * repeats], repeats,
                  Single{CoefficientPair::second(bits, value_bits, step), static_cast<uint8_t>(length),
                         static_cast<uint8_t>(value_bits), static_cast<uint8_t>(bits), static_cast<uint8_t>(skip)});
    }
  for (uint32_t k = 0; k < singles.size();) {
    const Single first = singles[k];
    if (first.code_bits > kLookup) {
      pairs_[k++] = CoefficientPair::unfit();
      continue;
    }
    const CoefficientPair alone =
        first.bits > kPairBits ? CoefficientPair::unfit()
                               : CoefficientPair::second(first.bits, first.value_bits, 0).behind(0, first.skip, 0);
    const bool is_whole = first.bits <= kLookup;
    const uint32_t repeats = 1u << (kLookup - (is_whole ? first.bits : first.code_bits));
    if (!is_whole || first.value_bits > CoefficientPair::kFirstBits || first.skip == CoefficientPair::kEndOfBlock) {
      std::fill_n(&pairs_[k], repeats, alone);
    } else {
      const int value =
          HuffmanSymbol(first.value_bits, first.code_bits).value(static_cast<uint64_t>(k) << (64 - kLookup));
      for (uint32_t i = 0; i < repeats; ++i) {
        const Single& second = singles[i << first.bits];
        const bool fits = first.bits + second.code_bits <= kLookup && first.bits + second.bits <= kPairBits;
        pairs_[k + i] = fits ? second.second.behind(first.bits, first.skip, value) : alone;
      }
    }
    k += repeats;
  }
}

}  // namespace penstock
