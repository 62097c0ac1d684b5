#include "codecs/jpeg/scan_headers.h"

#include <algorithm>
#include <numeric>

namespace penstock {
namespace {

constexpr JOCTET kHuffmanTables = 0xC4, kStartOfScan = 0xDA, kRestartInterval = 0xDD, kComment = 0xFE;

bool is_ignored(JOCTET marker) { return (marker >= JPEG_APP0 && marker <= JPEG_APP0 + 15) || marker == kComment; }

}  // namespace

bool ScanHeaders::begin(const jpeg_decompress_struct& info) {
  if (info.num_components > MAX_COMPS_IN_SCAN) return false;
  components_ = info.num_components;
  for (int k = 0; k < components_; ++k) {
    ids_[k] = info.comp_info[k].component_id;
    if (std::find(ids_.begin(), ids_.begin() + k, ids_[k]) != ids_.begin() + k) return false;
  }
  for (int k = 0; k < NUM_HUFF_TBLS; ++k) {
    const auto copy = [](const JHUFF_TBL* table) { return table ? std::optional(*table) : std::nullopt; };
    dc_tables_[k] = copy(info.dc_huff_tbl_ptrs[k]);
    ac_tables_[k] = copy(info.ac_huff_tbl_ptrs[k]);
  }
  restart_interval_ = info.restart_interval;
  scan_ = {info.comps_in_scan, {}, info.Ss, info.Se, info.Ah, info.Al};
  for (int k = 0; k < info.comps_in_scan; ++k) {
    const jpeg_component_info& component = *info.cur_comp_info[k];
    scan_.components[k] = {component.component_index, component.dc_tbl_no, component.ac_tbl_no};
  }
  return true;
}

ScanHeaders::Found ScanHeaders::next(JOCTET marker, const JOCTET*& at, const JOCTET* end) {
  while (true) {
    if (marker == JPEG_EOI) return Found::end;
    const ptrdiff_t length = end - at < 2 ? 0 : at[0] << 8 | at[1];
    if (length < 2 || length > end - at) return Found::unknown;
    const JOCTET* const payload = at + 2;
    at += length;
    if (marker == kStartOfScan) return read_scan(payload, at) ? Found::scan : Found::unknown;
    const bool is_sound = marker == kHuffmanTables     ? read_tables(payload, at)
                          : marker == kRestartInterval ? read_restart_interval(payload, at)
                                                       : is_ignored(marker);
    if (!is_sound || at == end || *at != 0xFF) return Found::unknown;
    at = std::find_if(at, end, [](JOCTET byte) { return byte != 0xFF; });
    if (at == end) return Found::unknown;
    marker = *at++;
  }
}

bool ScanHeaders::read_tables(const JOCTET* at, const JOCTET* end) {
  constexpr int kLengths = 16, kIsAc = 0x10;
  while (at != end) {
    if (end - at < 1 + kLengths) return false;
    const int number = *at++;
    JHUFF_TBL table{};
    std::copy_n(at, kLengths, table.bits + 1);
    const int symbols = std::accumulate(at, at + kLengths, 0);
    at += kLengths;
    if (symbols > 256 || symbols > end - at || (number & ~kIsAc) >= NUM_HUFF_TBLS) return false;
    std::copy_n(at, symbols, table.huffval);
    at += symbols;
    (number & kIsAc ? ac_tables_ : dc_tables_)[number & ~kIsAc] = table;
  }
  return true;
}

bool ScanHeaders::read_restart_interval(const JOCTET* at, const JOCTET* end) {
  if (end - at != 2) return false;
  restart_interval_ = at[0] << 8 | at[1];
  return true;
}

bool ScanHeaders::read_scan(const JOCTET* at, const JOCTET* end) {
  const int count = at == end ? 0 : *at++;
  if (count < 1 || count > components_ || end - at != 2 * count + 3) return false;
  scan_.count = count;
  for (int k = 0; k < count; ++k, at += 2) {
    const auto id = std::find(ids_.begin(), ids_.begin() + components_, at[0]);
    const int index = static_cast<int>(id - ids_.begin());
    const auto is_same = [&](const ScanHeader::Component& other) { return other.index == index; };
    if (index == components_ || std::any_of(&scan_.components[0], &scan_.components[k], is_same)) return false;
    scan_.components[k] = {index, at[1] >> 4, at[1] & 15};
  }
  scan_.first = at[0];
  scan_.last = at[1];
  scan_.high = at[2] >> 4;
  scan_.low = at[2] & 15;
  return true;
}

}  // namespace penstock
