#include "codecs/jpeg/scan_data.h"

#include <algorithm>
#include <cstring>

#include "codecs/jpeg/unstuff.h"
#include "cpu/instruction_sets.h"

namespace penstock {
namespace {

// The most that can be read before the end is checked: blocks of 64 symbols of 31 bits, and 8 bytes ahead.
constexpr size_t kPadding = ScanData::kMostBlocks * DCTSIZE2 * 4 + 8;

}  // namespace

const JOCTET* ScanData::copy(const JOCTET* from, const JOCTET* end, unsigned restart_interval) {
  bytes_.resize(std::max(bytes_.size(), static_cast<size_t>(end - from) + kPadding));
  segment_ends_.clear();
  uint8_t* to = bytes_.data();
  while (true) {
#ifdef PENSTOCK_X86
    if (kHasAvx512Vnni) {
      const UnstuffedCopy copy = copy_unstuffed_avx512({from, to}, end);
      from = copy.from;
      to = copy.to;
    }
#endif
    const auto* marker = static_cast<const JOCTET*>(std::memchr(from, 0xFF, end - from));
    if (!marker) return nullptr;
    to = std::copy(from, marker, to);
    from = std::find_if(marker, end, [](JOCTET byte) { return byte != 0xFF; });
    if (from == end) return nullptr;
    const JOCTET code = *from++;
    if (code == 0) {
      *to++ = 0xFF;
      continue;
    }
    segment_ends_.push_back(to - bytes_.data());
    if (restart_interval != 0 && code == JPEG_RST0 + (segment_ends_.size() - 1) % 8) continue;
    std::fill_n(to, kPadding, 0);
    marker_ = code;
    behind_marker_ = from;
    return marker;
  }
}

}  // namespace penstock
