#include "codecs/jpeg/huffman_scan.h"

#include <algorithm>
#include <cstring>

#include "cpu/target_clones.h"

namespace penstock {
namespace {

// The most that one MCU can read before its end is checked: 10 blocks of 64 symbols of 31 bits, and 8 bytes ahead.
constexpr size_t kPadding = D_MAX_BLOCKS_IN_MCU * DCTSIZE2 * 4 + 8;

// At an eighth of its size an image is the means of its blocks.
bool needs_ac(const jpeg_component_info& info) {
#if JPEG_LIB_VERSION >= 70
  return info.DCT_h_scaled_size > 1;
#else
  return info.DCT_scaled_size > 1;
#endif
}

}  // namespace

PENSTOCK_CLONES bool HuffmanScan::decode_mcu(JBLOCKROW* blocks) {
  BitWindow position = window_;
  if (!begin_mcu(position)) return false;
  unsigned last;
  for (int i = 0; i < blocks_in_mcu_; ++i) {
    JCOEF* const block = blocks && blocks_[i].needed ? blocks[i][0] : nullptr;
    const bool sound = block && blocks_[i].ac_needed ? decode_block<true>(position, i, block, last)
                                                     : decode_block<false>(position, i, block, last);
    if (!sound) return false;
  }
  window_ = position;
  return end_mcu(position);
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
                        cinfo->Ss == 0 && cinfo->Se == DCTSIZE2 - 1;
  if (!baseline || cinfo->comps_in_scan != cinfo->num_components || !plan_blocks(cinfo) || !unstuff(cinfo))
    return false;
  restart_interval_ = cinfo->restart_interval;
  segments_begun_ = 0;
  return start_segment();
}

bool HuffmanScan::plan_blocks(j_decompress_ptr cinfo) {
  blocks_in_mcu_ = 0;
  for (int component = 0; component < cinfo->comps_in_scan; ++component) {
    const jpeg_component_info& info = *cinfo->cur_comp_info[component];
    if (info.dc_tbl_no >= NUM_HUFF_TBLS || info.ac_tbl_no >= NUM_HUFF_TBLS) return false;
    const JHUFF_TBL* dc = cinfo->dc_huff_tbl_ptrs[info.dc_tbl_no];
    const JHUFF_TBL* ac = cinfo->ac_huff_tbl_ptrs[info.ac_tbl_no];
    HuffmanTable& dc_table = dc_tables_[info.dc_tbl_no];
    HuffmanTable& ac_table = ac_tables_[info.ac_tbl_no];
    if (!dc || !ac || !dc_table.build(*dc, HuffmanTable::Kind::dc) || !ac_table.build(*ac, HuffmanTable::Kind::ac))
      return false;
    const int count = cinfo->comps_in_scan == 1 ? 1 : info.h_samp_factor * info.v_samp_factor;
    if (blocks_in_mcu_ + count > D_MAX_BLOCKS_IN_MCU) return false;
    const Block block{&dc_table, &ac_table, component, static_cast<bool>(info.component_needed), needs_ac(info)};
    for (int i = 0; i < count; ++i) blocks_[blocks_in_mcu_++] = block;
  }
  return true;
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
