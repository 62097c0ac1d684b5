#include "codecs/jpeg/huffman_table.h"

#include <algorithm>
#include <cstring>

namespace penstock {
namespace {

// Without value bits a symbol is 16 zeros more to skip or the end of the block.
int skip_of(const HuffmanSymbol& symbol) {
  const bool ends_block = symbol.value_bits() == 0 && symbol.run() != 15;
  return ends_block ? HuffmanTable::kEndOfBlock : symbol.run() + 1;
}

}  // namespace

void HuffmanTable::build(const JHUFF_TBL& table, bool pairs) {
  if (std::memcmp(table.bits, source_.bits, sizeof table.bits) == 0 &&
      std::memcmp(table.huffval, source_.huffval, sizeof table.huffval) == 0)
    return;
  source_ = table;
  short_codes_.fill({});
  uint32_t code = 0;
  int symbol = 0;
  for (int length = 1; length <= 16; ++length, code <<= 1) {
    first_symbol_[length] = symbol - static_cast<int>(code);
    for (int i = 0; i < table.bits[length]; ++i, ++code, ++symbol) {
      if (length > kShortCode) continue;
      const uint32_t repeats = 1u << (kShortCode - length);
      std::fill_n(&short_codes_[code * repeats], repeats, HuffmanSymbol(table.huffval[symbol], length));
    }
    codes_end_[length] = code << (16 - length);
  }
  if (!pairs) return;
  for (uint64_t bits = 0; bits < pairs_.size(); ++bits) pairs_[bits] = make_pair(bits << (64 - kPairBits));
}

HuffmanSymbol HuffmanTable::long_code(uint64_t bits) const {
  const uint32_t top = static_cast<uint32_t>(bits >> 48);
  for (int length = 1; length <= 16; ++length)
    if (top < codes_end_[length])
      return HuffmanSymbol(source_.huffval[(first_symbol_[length] + (top >> (16 - length))) & 255], length);
  return {};
}

HuffmanTable::Pair HuffmanTable::make_pair(uint64_t bits) const {
  Pair pair{};
  for (int i = 0; i < 2; ++i) {
    const HuffmanSymbol found = short_codes_[bits >> (64 - kShortCode)];
    if (!found || pair.total_bits + found.total_bits() > kPairBits) break;
    if (i == 0) pair.first_bits = found.total_bits();
    pair.total_bits += found.total_bits();
    pair.skips[i] = static_cast<uint8_t>(skip_of(found));
    pair.values[i] = pair.values[1] = static_cast<int16_t>(found.value(bits));
    if (pair.skips[i] == kEndOfBlock) break;
    bits <<= found.total_bits();
  }
  return pair;
}

}  // namespace penstock
