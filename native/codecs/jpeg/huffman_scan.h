// Huffman decoding of baseline JPEGs in the place of libjpeg's own, which is two thirds of its decoding time. This one
// looks up two coefficients at once.
#pragma once

#include <cstring>
#include <vector>

#include "codecs/jpeg/huffman_table.h"
#include "cpu/vectorize.h"

namespace penstock {

/// The next bits of a stream, topmost first.
class BitWindow {
 public:
  BitWindow() = default;
  explicit BitWindow(const uint8_t* stream) : next_(stream) {}

  uint64_t bits() const { return bits_; }
  /// Drops as many bits as the lowest six bits of `n` say.
  PENSTOCK_INLINE void drop(uint32_t n) {
    bits_ <<= n & 63;
    count_ -= n;
  }

  /// Leaves at least 56 bits in the window. The stream must have 8 bytes to spare.
  PENSTOCK_INLINE void refill() {
    uint64_t ahead = 0;
    for (int i = 0; i < 8; ++i) ahead = ahead << 8 | next_[i];
    const uint32_t count = count_ & 63;
    bits_ |= ahead >> count;
    next_ += (63 - count) >> 3;
    count_ = count | 56;
  }

  /// How many bits have been dropped since the window stood at `stream`.
  ptrdiff_t dropped_since(const uint8_t* stream) const {
    return 8 * (next_ - stream) - static_cast<ptrdiff_t>(count_ & 63);
  }

 private:
  uint64_t bits_ = 0;
  uint32_t count_ = 0;  // its lowest six bits
  const uint8_t* next_ = nullptr;
};

/// The entropy-coded data of a baseline JPEG's only scan.
class HuffmanScan {
 public:
  /// Takes over the scan whose header `cinfo` has read. False leaves it to libjpeg: the data is of another kind, or
  /// irregular, and libjpeg has rules for making something of it.
  bool begin(j_decompress_ptr cinfo);

  int blocks_in_mcu() const { return blocks_in_mcu_; }

  /// Writes the next MCU's coefficients to `blocks`, which are zeros, or nowhere if null.
  /// False where the data is damaged.
  bool decode_mcu(JBLOCKROW* blocks);

  /// The same block by block, to be compiled into a loop that keeps the position in registers: begin_mcu, decode_block
  /// for each, end_mcu, which all tell whether the data is sound. The loop takes the position and gives it back.
  const BitWindow& position() const { return window_; }
  void set_position(const BitWindow& position) { window_ = position; }
  PENSTOCK_INLINE bool begin_mcu(BitWindow& position);
  /// With kStores, AC coefficients go to `block`, without they are stepped over; DC goes there unless it is null.
  /// `last` becomes the last of them, in the order of the stream, that may be other than zero.
  template <bool kStores>
  PENSTOCK_INLINE bool decode_block(BitWindow& position, int index, JCOEF* block, unsigned& last);
  PENSTOCK_INLINE bool end_mcu(const BitWindow& position);

 private:
  struct Block {
    const HuffmanTable *dc, *ac;
    int component;
    bool needed, ac_needed;
  };

  bool plan_blocks(j_decompress_ptr cinfo);
  bool unstuff(j_decompress_ptr cinfo);
  bool start_segment();

  std::array<HuffmanTable, NUM_HUFF_TBLS> dc_tables_, ac_tables_;
  std::array<Block, D_MAX_BLOCKS_IN_MCU> blocks_;
  int blocks_in_mcu_ = 0;
  std::array<unsigned, MAX_COMPS_IN_SCAN> last_dc_{};

  std::vector<uint8_t> bytes_;        // the data without stuffing and markers
  std::vector<size_t> segment_ends_;  // in bytes_, of the stretches between restart markers
  size_t segments_begun_ = 0;
  unsigned restart_interval_ = 0, mcus_to_restart_ = 0;
  BitWindow window_;
};

namespace huffman {

inline constexpr unsigned kLastPlace = DCTSIZE2 - 1;

// Where the coefficients of the stream stand in a block. What lies beyond the last lands on the first, written last.
inline constexpr std::array<uint8_t, 256> kNaturalOrder = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

enum class Progress { refill, done, damaged };

// A symbol that does not fit into the lookup of pairs.
template <bool kStores>
PENSTOCK_INLINE inline Progress decode_one(BitWindow& window, const HuffmanTable& table, unsigned& next, unsigned& last,
                                           JCOEF* block) {
  window.refill();
  const HuffmanSymbol symbol = table.symbol(window.bits());
  if (!symbol) return Progress::damaged;
  const int value = symbol.value(window.bits());
  window.drop(symbol.total_bits());
  last = next - 1;
  if (symbol.ends_block()) return Progress::done;
  const unsigned place = next + symbol.run();
  if (place > kLastPlace) return Progress::damaged;
  if (kStores) block[kNaturalOrder[place]] = static_cast<JCOEF>(value);
  next = place + 1;
  last = place;
  return place == kLastPlace ? Progress::done : Progress::refill;
}

// Behind the one branch that a pair takes: the block has ended, or the lookup was too short.
template <bool kStores>
PENSTOCK_INLINE inline Progress leave_block(BitWindow& window, const HuffmanTable& table, CoefficientPair pair,
                                            unsigned& next, unsigned& last, JCOEF* block) {
  if (!pair.fits()) [[unlikely]]
    return decode_one<kStores>(window, table, next, last, block);
  const unsigned first = next + pair.first_skip(), second = first + pair.second_skip();
  last = second == kLastPlace ? second : first <= kLastPlace ? first : next - 1;
  if (first == kLastPlace && pair.first_skip() != CoefficientPair::kEndOfBlock) [[unlikely]] {
    window.drop(table.symbol(window.bits()).total_bits());  // a full block needs no end: the rest is the next block's
    return Progress::done;
  }
  window.drop(pair.bits());
  // Which of them it was cannot be foretold: no branches.
  const int first_ends = pair.first_skip() == CoefficientPair::kEndOfBlock, is_full = second == kLastPlace;
  const int second_ends = pair.second_skip() == CoefficientPair::kEndOfBlock, is_read = first < kLastPlace;
  return first_ends | is_full | (is_read & second_ends) ? Progress::done : Progress::damaged;
}

// Decodes pairs until one leads out of the block, or out of its lookup, and gives that one without dropping its bits.
template <bool kStores>
PENSTOCK_INLINE inline CoefficientPair decode_pairs(BitWindow& window, const HuffmanTable& table, unsigned& next,
                                                    JCOEF* block) {
  constexpr int kPairs = 3;  // from the 56 bits that a refill leaves
  static_assert(kPairs * HuffmanTable::kPairBits <= 56);
  while (true) {
    window.refill();
    for (int i = 0; i < kPairs; ++i) {
      const CoefficientPair pair = table.pair(window.bits());
      const unsigned first = next + pair.first_skip(), second = first + pair.second_skip();
      if (kStores) {
        block[kNaturalOrder[first]] = pair.first();
        block[kNaturalOrder[second]] = pair.second(window.bits());
      }
      if (second >= kLastPlace) [[unlikely]]
        return pair;
      window.drop(pair.bits());
      next = second + 1;
    }
  }
}

template <bool kStores>
PENSTOCK_INLINE inline bool decode_ac(BitWindow& window, const HuffmanTable& table, JCOEF* block, unsigned& last) {
  unsigned next = 1;
  Progress progress;
  do {
    const CoefficientPair pair = decode_pairs<kStores>(window, table, next, block);
    progress = leave_block<kStores>(window, table, pair, next, last, block);
  } while (progress == Progress::refill);
  return progress == Progress::done;
}

}  // namespace huffman

inline bool HuffmanScan::begin_mcu(BitWindow& position) {
  if (restart_interval_ == 0) return true;
  if (mcus_to_restart_ == 0) {
    if (!start_segment()) return false;
    position = window_;
  }
  --mcus_to_restart_;
  return true;
}

template <bool kStores>
inline bool HuffmanScan::decode_block(BitWindow& position, int index, JCOEF* block, unsigned& last) {
  const Block& plan = blocks_[index];
  position.refill();
  const HuffmanSymbol dc = plan.dc->symbol(position.bits());
  if (!dc) return false;
  last_dc_[plan.component] += static_cast<unsigned>(dc.value(position.bits()));
  position.drop(dc.total_bits());
  if (!huffman::decode_ac<kStores>(position, *plan.ac, block, last)) return false;
  if (block) block[0] = static_cast<JCOEF>(last_dc_[plan.component]);
  return true;
}

inline bool HuffmanScan::end_mcu(const BitWindow& position) {
  return position.dropped_since(bytes_.data()) <= static_cast<ptrdiff_t>(8 * segment_ends_[segments_begun_ - 1]);
}

}  // namespace penstock
