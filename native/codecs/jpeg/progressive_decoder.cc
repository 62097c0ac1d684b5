#include "codecs/jpeg/progressive_decoder.h"

#ifdef PENSTOCK_JPEG_VECTORS
#include <algorithm>
#include <bit>
#include <cstring>

#include "memory/arena.h"

namespace penstock {

bool ProgressiveDecoder::begin(const jpeg_decompress_struct& info, const Mcus& mcus, int components, int max_scans) {
  if (!info.progressive_mode || info.arith_code || info.data_precision != 8 || !headers_.begin(info)) return false;
  lay_out(info, mcus, components);
  return read_scans(info, max_scans);
}

void ProgressiveDecoder::lay_out(const jpeg_decompress_struct& info, const Mcus& mcus, int components) {
  mcus_ = mcus;
  components_ = info.num_components;
  int64_t kept = 0, all = 0;
  for (int k = 0; k < components_; ++k) {
    const jpeg_component_info& component = info.comp_info[k];
    BlockPlane& plane = planes_[k] = {};
    plane.across = components_ == 1 ? 1 : component.h_samp_factor;
    plane.down = components_ == 1 ? 1 : component.v_samp_factor;
    plane.width = static_cast<int>(component.width_in_blocks);
    plane.height = static_cast<int>(component.height_in_blocks);
    if (k >= components) continue;
    plane.stride = mcus.across * plane.across;
    plane.left = mcus.first * plane.across;
    plane.right = mcus.end * plane.across;
    plane.top = mcus.first_row * plane.down;
    plane.bottom = mcus.end_row * plane.down;
    kept += static_cast<int64_t>(plane.right - plane.left) * (plane.bottom - plane.top);
    all += static_cast<int64_t>(plane.stride) * plane.bottom;
  }
  const size_t bytes = static_cast<size_t>(kept) * sizeof(JBLOCK);
  if (bytes > capacity_) {
    memory_.reset();  // first, so that it is not held beside the new one, which there may be no memory for
    capacity_ = 0;
    memory_ = allocate(bytes);
    capacity_ = bytes;
    is_clear_ = false;
  }
  if (!is_clear_) std::memset(memory_.get(), 0, capacity_);
  is_clear_ = false;
  nonzero_.assign(static_cast<size_t>(all), 0);
  auto* blocks = reinterpret_cast<JBLOCK*>(memory_.get());
  uint64_t* nonzero = nonzero_.data();
  for (int k = 0; k < components; ++k) {
    BlockPlane& plane = planes_[k];
    plane.blocks = blocks;
    plane.nonzero = nonzero;
    blocks += static_cast<int64_t>(plane.right - plane.left) * (plane.bottom - plane.top);
    nonzero += static_cast<int64_t>(plane.stride) * plane.bottom;
  }
}

bool ProgressiveDecoder::read_scans(const jpeg_decompress_struct& info, int max_scans) {
  for (auto& bits : known_bits_) bits.fill(-1);
  const JOCTET* at = info.src->next_input_byte;
  const JOCTET* const end = at + info.src->bytes_in_buffer;
  for (int scans = 1; scans <= max_scans; ++scans) {
    if (!progress(headers_.scan()) || !scan_.copy_data(headers_, at, end) ||
        !scan_.decode(headers_, planes_.data(), {mcus_.across, mcus_.end_row}))
      return false;
    at = scan_.data().behind_marker();
    const ScanHeaders::Found found = headers_.next(scan_.data().marker(), at, end);
    if (found == ScanHeaders::Found::unknown) return false;
    if (found == ScanHeaders::Found::end) return !lacks_scans();
  }
  return false;
}

// Whether the scan adds to what the scans before have told.
bool ProgressiveDecoder::progress(const ScanHeader& scan) {
  constexpr int kLargestLow = 13;
  const bool is_dc = scan.first == 0;
  if (is_dc ? scan.last != 0 : scan.count != 1 || scan.last < scan.first || scan.last >= DCTSIZE2) return false;
  if (scan.low > kLargestLow || (scan.high != 0 && scan.low != scan.high - 1)) return false;
  for (int k = 0; k < scan.count; ++k) {
    auto& bits = known_bits_[scan.components[k].index];
    if (!is_dc && bits[0] < 0) return false;
    for (int i = scan.first; i <= scan.last; ++i) {
      if (bits[i] != (scan.high == 0 ? -1 : scan.high)) return false;
      bits[i] = static_cast<int8_t>(scan.low);
    }
  }
  return true;
}

bool ProgressiveDecoder::lacks_scans() const {
  return std::any_of(known_bits_.begin(), known_bits_.begin() + components_, [](const auto& bits) {
    return std::any_of(bits.begin(), bits.begin() + kSmoothedCoefficients, [](int8_t bit) { return bit != 0; });
  });
}

void ProgressiveDecoder::transform(const McuRow& row, int number) {
  const McuRow::Block* target = row.blocks.data();
  for (int k = 0; k < components_; ++k) {
    const BlockPlane& plane = planes_[k];
    for (int y = 0; y < plane.down; ++y)
      for (int x = 0; x < plane.across; ++x, ++target) {
        if (!target->samples) continue;
        const int block_row = number * plane.down + y;
        JBLOCK* const blocks = plane.kept_at(block_row, plane.left);
        const uint64_t* const nonzero = plane.nonzero_at(block_row, plane.left);
        uint8_t* samples = target->samples;
        for (int column = x, end = plane.right - plane.left; column < end;) {
          for (int i = 0; i < BlockTransforms::kMostBlocks && column < end; ++i, column += plane.across) {
            const unsigned coefficients = DCTSIZE2 - std::countl_zero(nonzero[column] | 1);
            transforms_.add({blocks[column], target->factors, samples, target->stride}, coefficients);
            samples += target->step;
          }
          transforms_.run();
        }
      }
  }
  if (number == mcus_.end_row - 1) is_clear_ = true;
}

void ProgressiveDecoder::give_back_large() {
  constexpr size_t kKept = 4 << 20;
  if (capacity_ <= kKept) return;
  memory_.reset();
  capacity_ = 0;
  nonzero_ = {};
}

}  // namespace penstock
#endif
