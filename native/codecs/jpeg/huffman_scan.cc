#include "codecs/jpeg/huffman_scan.h"

#include <algorithm>
#include <cstring>

#include "cpu/target_clones.h"
#include "cpu/vectorize.h"

namespace penstock {
namespace {

constexpr int kLastPlace = DCTSIZE2 - 1;

// Where the coefficients of the stream stand in a block. What lies beyond the last lands on the first, written last.
constexpr std::array<uint8_t, 256> kNaturalOrder = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,
                                                    12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
                                                    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
                                                    58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

// The most that one MCU can read before its end is checked: 10 blocks of 64 symbols of 31 bits, and 8 bytes ahead.
constexpr size_t kPadding = D_MAX_BLOCKS_IN_MCU * DCTSIZE2 * 4 + 8;

enum class Progress { more, done, damaged };

// A symbol too long for the lookup of pairs.
PENSTOCK_INLINE inline Progress decode_one(BitWindow& window, const HuffmanTable& table, int& place, JCOEF* block) {
  const HuffmanSymbol symbol = table.symbol(window.bits());
  if (!symbol) return Progress::damaged;
  const int value = symbol.value(window.bits());
  window.drop(symbol.total_bits());
  window.refill();
  if (symbol.value_bits() == 0 && symbol.run() != 15) return Progress::done;
  place += symbol.run() + 1;
  if (place > kLastPlace) return Progress::damaged;
  block[kNaturalOrder[place]] = static_cast<JCOEF>(value);
  return place == kLastPlace ? Progress::done : Progress::more;
}

PENSTOCK_INLINE inline Progress decode_pair(BitWindow& window, const HuffmanTable& table, int& place, JCOEF* block) {
  const HuffmanTable::Pair pair = table.pair(window.bits());
  if (pair.total_bits == 0) [[unlikely]]
    return decode_one(window, table, place, block);
  const BitWindow before = window;
  window.drop(pair.total_bits);
  const int first = place + pair.skips[0];
  place = first + pair.skips[1];
  block[kNaturalOrder[first]] = pair.values[0];
  block[kNaturalOrder[place]] = pair.values[1];
  if (place < kLastPlace) [[likely]]
    return Progress::more;
  if (first == kLastPlace) {  // the block is full and needs no end: what follows belongs to the next block
    window = before;
    window.drop(pair.first_bits);
    return Progress::done;
  }
  const bool ended = place >= HuffmanTable::kEndOfBlock && place < HuffmanTable::kEndOfBlock + DCTSIZE2;
  return ended || place == kLastPlace ? Progress::done : Progress::damaged;
}

// Of the 56 bits a refill leaves, two pairs take 20 at most, so that enough remain for the longest symbol.
PENSTOCK_INLINE inline bool decode_ac(BitWindow& window, const HuffmanTable& table, JCOEF* block) {
  int place = 0;
  Progress progress;
  do {
    window.refill();
    progress = decode_pair(window, table, place, block);
    if (progress == Progress::more) progress = decode_pair(window, table, place, block);
    if (progress == Progress::more) progress = decode_pair(window, table, place, block);
  } while (progress == Progress::more);
  return progress == Progress::done;
}

}  // namespace

inline void BitWindow::refill() {
  uint64_t ahead = 0;
  for (int i = 0; i < 8; ++i) ahead = ahead << 8 | next_[i];
  bits_ |= ahead >> count_;
  next_ += (63 - count_) >> 3;
  count_ |= 56;
}

PENSTOCK_CLONES bool HuffmanScan::decode_mcu(JBLOCKROW* blocks) {
  if (restart_interval_ != 0) {
    if (mcus_to_restart_ == 0 && !start_segment()) return false;
    --mcus_to_restart_;
  }
  BitWindow window = window_;
  for (int i = 0; i < blocks_in_mcu_; ++i) {
    const Block& plan = blocks_[i];
    JCOEF* block = blocks && plan.needed ? blocks[i][0] : discarded_;
    window.refill();
    const HuffmanSymbol dc = plan.dc->symbol(window.bits());
    if (!dc) return false;
    last_dc_[plan.component] += static_cast<unsigned>(dc.value(window.bits()));
    window.drop(dc.total_bits());
    if (!decode_ac(window, *plan.ac, block)) return false;
    block[0] = static_cast<JCOEF>(last_dc_[plan.component]);
  }
  window_ = window;
  return window.dropped_since(bytes_.data()) <= static_cast<ptrdiff_t>(8 * segment_ends_[segments_begun_ - 1]);
}

bool HuffmanScan::start_segment() {
  if (segments_begun_ == segment_ends_.size()) return false;
  window_ = BitWindow(bytes_.data() + (segments_begun_ == 0 ? 0 : segment_ends_[segments_begun_ - 1]));
  ++segments_begun_;
  last_dc_.fill(0);
  mcus_to_restart_ = restart_interval_;
  return true;
}

bool HuffmanScan::begin(j_decompress_ptr cinfo) {
  const bool baseline = !cinfo->progressive_mode && !cinfo->arith_code && cinfo->data_precision == 8 &&
                        cinfo->Ss == 0 && cinfo->Se == kLastPlace;
  if (!baseline || cinfo->comps_in_scan != cinfo->num_components || !unstuff(cinfo)) return false;
  plan_blocks(cinfo);
  restart_interval_ = cinfo->restart_interval;
  segments_begun_ = 0;
  return start_segment();
}

void HuffmanScan::plan_blocks(j_decompress_ptr cinfo) {
  blocks_in_mcu_ = cinfo->blocks_in_MCU;
  for (int i = 0; i < blocks_in_mcu_; ++i) {
    const int component = cinfo->MCU_membership[i];
    const jpeg_component_info& info = *cinfo->cur_comp_info[component];
    HuffmanTable& dc = dc_tables_[info.dc_tbl_no];
    HuffmanTable& ac = ac_tables_[info.ac_tbl_no];
    dc.build(*cinfo->dc_huff_tbl_ptrs[info.dc_tbl_no], false);
    ac.build(*cinfo->ac_huff_tbl_ptrs[info.ac_tbl_no], true);
    blocks_[i] = {&dc, &ac, component, static_cast<bool>(info.component_needed)};
  }
}

bool HuffmanScan::unstuff(j_decompress_ptr cinfo) {
  const JOCTET* from = cinfo->src->next_input_byte;
  const JOCTET* const end = from + cinfo->src->bytes_in_buffer;
  bytes_.resize(std::max(bytes_.size(), cinfo->src->bytes_in_buffer + kPadding));
  segment_ends_.clear();
  uint8_t* to = bytes_.data();
  while (true) {
    const auto* marker = static_cast<const JOCTET*>(std::memchr(from, 0xFF, end - from));
    if (!marker) return false;
    to = std::copy(from, marker, to);
    from = std::find_if(marker, end, [](JOCTET byte) { return byte != 0xFF; });
    if (from == end) return false;
    const JOCTET code = *from++;
    if (code == 0) {
      *to++ = 0xFF;
      continue;
    }
    segment_ends_.push_back(to - bytes_.data());
    if (cinfo->restart_interval != 0 && code == JPEG_RST0 + (segment_ends_.size() - 1) % 8) continue;
    if (code != JPEG_EOI) return false;
    std::fill_n(to, kPadding, 0);
    cinfo->src->next_input_byte = marker;
    cinfo->src->bytes_in_buffer = end - marker;
    return true;
  }
}

}  // namespace penstock
