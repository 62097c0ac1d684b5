#include "codecs/jpeg/progressive_scan.h"

#ifdef PENSTOCK_JPEG_VECTORS
#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "codecs/jpeg/zigzag.h"
#include "cpu/opaque.h"

namespace penstock {
namespace {

/// Bits of AC symbols that stand for zeros: the end of blocks, or 16 zeros.
constexpr int kSixteenZeros = 15;

/// Whether the values of all symbols have so many bits at most.
bool has_values_up_to(const JHUFF_TBL& table, int bits) {
  const int symbols = std::accumulate(table.bits + 1, table.bits + 17, 0);
  return std::all_of(table.huffval, table.huffval + symbols, [&](UINT8 symbol) { return (symbol & 15) <= bits; });
}

/// The numbers of the bits that are set in a byte, one to a byte.
constexpr auto kBitNumbers = [] {
  std::array<uint64_t, 256> numbers{};
  for (unsigned byte = 0; byte < 256; ++byte)
    for (uint64_t bit = 0, count = 0; bit < 8; ++bit)
      if (byte >> bit & 1) numbers[byte] |= bit << 8 * count++;
  return numbers;
}();

/// The numbers of the bits that are set in a mask, in their order. Behind them stands kNone, as often as a run of zeros
/// reaches.
class BitList {
 public:
  static constexpr unsigned kNone = 255;

  PENSTOCK_INLINE explicit BitList(uint64_t mask) {
    constexpr uint64_t kAllBytes = 0x0101010101010101;
    uint8_t* to = numbers_;
    for (int first = 0; first < 64; first += 8) {
      const uint8_t byte = static_cast<uint8_t>(mask >> first);
      const uint64_t numbers = kBitNumbers[byte] + first * kAllBytes;
      std::memcpy(to, &numbers, sizeof numbers);
      to += std::popcount(byte);
    }
    std::memset(to, kNone, kBehind);
  }

  const uint8_t* begin() const { return numbers_; }

 private:
  static constexpr int kBehind = 16;
  uint8_t numbers_[64 + kBehind];
};

/// Adds the topmost of `bits` to the coefficients of `known`, whose magnitudes they go on.
PENSTOCK_INLINE inline void refine(JBLOCK& block, uint64_t known, uint64_t bits, int low) {
  for (; known != 0; known &= known - 1, bits <<= 1) {
    JCOEF& coefficient = block[kZigzag[std::countr_zero(known)]];
    const int sign = coefficient >> 15, bit = static_cast<int>(bits >> 63) << low;
    coefficient = static_cast<JCOEF>(coefficient + ((bit ^ sign) - sign));
  }
}

/// The symbol at the top of the window, which has the bits of a short code at least and is then refilled.
PENSTOCK_INLINE inline HuffmanSymbol next_symbol(BitWindow& window, const HuffmanTable& codes) {
  const size_t short_code = opaque(HuffmanTable::short_code(window.bits()));
  window.refill();
  return codes.symbol(short_code, window.bits());
}

/// How many blocks end here: as many as the symbol says, with the bits behind it.
PENSTOCK_INLINE inline unsigned blocks_that_end(BitWindow& window, HuffmanSymbol symbol) {
  window.drop(symbol.total_bits());
  const unsigned more = static_cast<unsigned>(window.bits() >> 1 >> (63 - symbol.run()));
  window.drop(symbol.run());
  return (1u << symbol.run()) + more;
}

}  // namespace

bool ProgressiveScan::copy_data(const ScanHeaders& headers, const JOCTET* from, const JOCTET* end) {
  restart_interval_ = headers.restart_interval();
  return data_.copy(from, end, restart_interval_) != nullptr;
}

bool ProgressiveScan::decode(const ScanHeaders& headers, const BlockPlane* planes, Mcus mcus) {
  header_ = headers.scan();
  mcus_to_restart_ = 0;
  next_segment_ = 0;
  if (!start_segment()) return false;
  return header_.first == 0 ? decode_dc(headers, planes, mcus)
                            : decode_ac(headers, planes[header_.components[0].index]);
}

bool ProgressiveScan::start_segment() {
  if (next_segment_ == data_.segments()) return false;
  window_ = data_.segment(next_segment_++);
  last_dc_.fill(0);
  ending_blocks_ = 0;
  mcus_to_restart_ = restart_interval_;
  return true;
}

// `read` reads some MCUs of a row: (row, column, count).
template <typename Read>
bool ProgressiveScan::read_mcus(Mcus mcus, int most, Read&& read) {
  for (int row = 0; row < mcus.rows; ++row)
    for (int column = 0; column < mcus.across;) {
      int count = std::min(most, mcus.across - column);
      if (restart_interval_ != 0) {
        if (mcus_to_restart_ == 0 && !start_segment()) return false;
        count = static_cast<int>(std::min<unsigned>(count, mcus_to_restart_));
        mcus_to_restart_ -= count;
      }
      if (!read(row, column, count) || !data_.is_within_segment(window_, next_segment_ - 1)) return false;
      column += count;
    }
  return true;
}

bool ProgressiveScan::decode_dc(const ScanHeaders& headers, const BlockPlane* planes, Mcus mcus) {
  blocks_in_mcu_ = 0;
  for (int k = 0; k < header_.count; ++k) {
    const ScanHeader::Component& component = header_.components[k];
    const BlockPlane& plane = planes[component.index];
    if (header_.high == 0) {
      const JHUFF_TBL* table = headers.dc_table(component.dc_table);
      if (!table || !tables_[k].build(*table, HuffmanTable::Kind::dc)) return false;
    }
    const int across = header_.count == 1 ? 1 : plane.across, down = header_.count == 1 ? 1 : plane.down;
    if (blocks_in_mcu_ + across * down > D_MAX_BLOCKS_IN_MCU) return false;
    for (int y = 0; y < down; ++y)
      for (int x = 0; x < across; ++x)
        blocks_[blocks_in_mcu_++] = {&plane, &tables_[k], &last_dc_[k], across, down, x, y, nullptr, 0, 0};
    if (header_.count == 1) mcus = {plane.width, std::min(plane.height, plane.bottom)};
  }
  return read_mcus(mcus, ScanData::kMostBlocks / blocks_in_mcu_, [&](int row, int column, int count) {
    find_kept_blocks(row);
    if (header_.high == 0) return read_dc(column, count);
    refine_dc(column, count);
    return true;
  });
}

void ProgressiveScan::find_kept_blocks(int row) {
  for (Block* block = blocks_.data(); block != blocks_.data() + blocks_in_mcu_; ++block) {
    const BlockPlane& plane = *block->plane;
    const int y = row * block->down + block->y;
    const bool is_kept = y >= plane.top && y < plane.bottom;
    block->kept = is_kept ? plane.kept_at(y, plane.left) + block->x : nullptr;
    block->first_kept = is_kept ? plane.left / block->across : 0;
    block->end_kept = is_kept ? plane.right / block->across : 0;
  }
}

bool ProgressiveScan::read_dc(int column, int count) {
  BitWindow window = window_;
  window.refill();
  for (int mcu = column; mcu < column + count; ++mcu)
    for (int i = 0; i < blocks_in_mcu_; ++i) {
      const Block& block = blocks_[i];
      const HuffmanSymbol symbol = next_symbol(window, *block.table);
      if (!symbol) [[unlikely]]
        return false;
      const unsigned value = *block.last_dc += static_cast<unsigned>(symbol.value(window.bits()));
      window.drop(symbol.total_bits());
      if (JCOEF* dc = block.kept_dc(mcu)) *dc = static_cast<JCOEF>(value << header_.low);
    }
  window_ = window;
  return true;
}

void ProgressiveScan::refine_dc(int column, int count) {
  BitWindow window = window_;
  for (int mcu = column; mcu < column + count; ++mcu) {
    window.refill();
    for (int i = 0; i < blocks_in_mcu_; ++i) {
      const auto bit = static_cast<JCOEF>(window.bits() >> 63 << header_.low);
      window.drop(1);
      if (JCOEF* dc = blocks_[i].kept_dc(mcu)) *dc |= bit;
    }
  }
  window_ = window;
}

bool ProgressiveScan::decode_ac(const ScanHeaders& headers, const BlockPlane& plane) {
  const JHUFF_TBL* table = headers.ac_table(header_.components[0].ac_table);
  HuffmanTable& codes = tables_[0];
  constexpr int kCoefficientBits = 15;
  const int most_bits = header_.high == 0 ? kCoefficientBits - header_.low : 1;
  if (!table || !codes.build(*table, HuffmanTable::Kind::ac) || !has_values_up_to(*table, most_bits)) return false;
  if (header_.high == 0)
    return read_blocks(plane, [&](uint64_t* nonzero, JBLOCK* blocks, int count) {
      return blocks ? read_ac<true>(nonzero, blocks, count) : read_ac<false>(nonzero, blocks, count);
    });
  return read_blocks(plane, [&](uint64_t* nonzero, JBLOCK* blocks, int count) {
    return blocks ? refine_ac<true>(nonzero, blocks, count) : refine_ac<false>(nonzero, blocks, count);
  });
}

// `read` reads some blocks of a row, of which all are kept or none: (nonzero, blocks or null, count).
template <typename Read>
bool ProgressiveScan::read_blocks(const BlockPlane& plane, Read&& read) {
  const Mcus mcus{plane.width, std::min(plane.height, plane.bottom)};
  return read_mcus(mcus, ScanData::kMostBlocks, [&](int row, int column, int count) {
    for (const int end = column + count; column < end;) {
      const bool keeps = plane.keeps(row, column);
      const int edge = row < plane.top ? end : column < plane.left ? plane.left : keeps ? plane.right : end;
      const int part = std::min(end, edge) - column;
      if (!read(plane.nonzero_at(row, column), keeps ? plane.kept_at(row, column) : nullptr, part)) return false;
      column += part;
    }
    return true;
  });
}

template <bool kKeeps>
bool ProgressiveScan::read_ac(uint64_t* nonzero, JBLOCK* blocks, int count) {
  const HuffmanTable& codes = tables_[0];
  const unsigned first = header_.first, last = header_.last;
  const int low = header_.low;
  BitWindow window = window_;
  window.refill();
  for (int i = 0; i < count; ++i) {
    if (ending_blocks_ > 0) {
      const unsigned over = std::min<unsigned>(ending_blocks_, count - i);
      ending_blocks_ -= over;
      i += static_cast<int>(over) - 1;
      continue;
    }
    uint64_t known = nonzero[i];
    for (unsigned next = first; next <= last;) {
      const HuffmanSymbol symbol = next_symbol(window, codes);
      if (!symbol) [[unlikely]]
        return false;
      if (symbol.value_bits() == 0) {
        if (symbol.run() != kSixteenZeros) {
          ending_blocks_ = blocks_that_end(window, symbol) - 1;
          break;
        }
        window.drop(symbol.total_bits());
        next += 16;
        continue;
      }
      const unsigned place = next + symbol.run();
      if (place > last) [[unlikely]]
        return false;
      if constexpr (kKeeps)
        blocks[i][kZigzag[place]] = static_cast<JCOEF>(static_cast<unsigned>(symbol.value(window.bits())) << low);
      window.drop(symbol.total_bits());
      known |= uint64_t{1} << place;
      next = place + 1;
    }
    nonzero[i] = known;
  }
  window_ = window;
  return true;
}

// Each known coefficient of a block has a bit, and these stand between the symbols of new ones, as many as are passed.
// They are collected, and added when the block is over: where they stand is known without a branch for each.
template <bool kKeeps>
bool ProgressiveScan::refine_ac(uint64_t* nonzero, JBLOCK* blocks, int count) {
  const HuffmanTable& codes = tables_[0];
  const unsigned first = header_.first, last = header_.last;
  const int low = header_.low;
  const uint64_t band = (~uint64_t{0} >> (DCTSIZE2 - 1 - last)) & (~uint64_t{0} << first);
  BitWindow window = window_;
  window.refill();
  unsigned ending_blocks = ending_blocks_;
  for (int i = 0; i < count; ++i) {
    const uint64_t known = nonzero[i] & band;
    const unsigned known_count = static_cast<unsigned>(std::popcount(known));
    uint64_t bits = 0;
    unsigned bit_count = 0;
    const auto take_bits = [&](unsigned n) PENSTOCK_INLINE {
      bits = bits << n | window.bits() >> 1 >> (63 - n);
      bit_count += n;
      window.drop(n);
    };
    // Of the 56 bits of a window: a symbol has 16 and a sign, and a short code is left.
    constexpr unsigned kBehindSymbol = 31;
    if (ending_blocks == 0) {
      const BitList zeros(~known & band);
      const uint8_t* zero = zeros.begin();
      uint64_t added = 0;
      for (unsigned place = 0; place < last;) {
        const HuffmanSymbol symbol = next_symbol(window, codes);
        if (!symbol) [[unlikely]]
          return false;
        if (symbol.ends_block()) {
          ending_blocks = blocks_that_end(window, symbol);
          break;
        }
        zero += symbol.run();
        place = *zero;
        if (place == BitList::kNone) [[unlikely]]
          return false;
        const unsigned refined = place - first - static_cast<unsigned>(zero - zeros.begin()) - bit_count;
        ++zero;
        const uint64_t is_new = symbol.value_bits();  // or these are 16 zeros
        added |= is_new << place;
        if constexpr (kKeeps) {
          const int is_positive = static_cast<int>(window.bits() >> (-symbol.total_bits() & 63)) & 1;
          const int sign = opaque(is_positive - 1), magnitude = static_cast<int>(is_new) << low;
          blocks[i][kZigzag[place]] = static_cast<JCOEF>((magnitude ^ sign) - sign);
        }
        window.drop(symbol.total_bits());
        if (refined > kBehindSymbol) [[unlikely]] {
          take_bits(kBehindSymbol);
          window.refill();
          take_bits(refined - kBehindSymbol);
          window.refill();
        } else {
          take_bits(refined);
        }
      }
      nonzero[i] |= added;
    }
    if (ending_blocks > 0) {
      --ending_blocks;
      unsigned left = known_count - bit_count;
      constexpr unsigned kOfOneRefill = 56 - HuffmanTable::kShortCode;
      window.refill();
      if (left > kOfOneRefill) [[unlikely]] {
        take_bits(kOfOneRefill);
        window.refill();
        left -= kOfOneRefill;
      }
      take_bits(left);
    }
    if constexpr (kKeeps) {
      if (known_count > 0) refine(blocks[i], known, bits << (64 - known_count), low);
    }
  }
  ending_blocks_ = ending_blocks;
  window_ = window;
  return true;
}

}  // namespace penstock
#endif
