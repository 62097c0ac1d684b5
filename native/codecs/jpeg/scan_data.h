// The entropy-coded data of a JPEG's scan, copied without its stuffing and restart markers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codecs/jpeg/bit_window.h"
#include "codecs/jpeg/libjpeg.h"

namespace penstock {

/// The data of one scan. The memory is kept for the next.
class ScanData {
 public:
  /// How many blocks may be read before is_within_segment() has to be asked.
  static constexpr int kMostBlocks = 96;

  /// Copies the data that begins at `from` and returns the marker behind it. Null where the file ends before one.
  const JOCTET* copy(const JOCTET* from, const JOCTET* end, unsigned restart_interval);
  /// Which marker that is, and what stands behind it.
  JOCTET marker() const { return marker_; }
  const JOCTET* behind_marker() const { return behind_marker_; }

  /// How many stretches between restart markers there are.
  size_t segments() const { return segment_ends_.size(); }
  /// The first bits of one of them.
  BitWindow segment(size_t index) const {
    return BitWindow(bytes_.data() + (index == 0 ? 0 : segment_ends_[index - 1]));
  }
  /// Whether no more has been dropped from `window` than the stretch has.
  bool is_within_segment(const BitWindow& window, size_t index) const {
    return window.dropped_since(bytes_.data()) <= 8 * segment_ends_[index];
  }

 private:
  std::vector<uint8_t> bytes_;
  std::vector<size_t> segment_ends_;  // in bytes_
  JOCTET marker_ = 0;
  const JOCTET* behind_marker_ = nullptr;
};

}  // namespace penstock
