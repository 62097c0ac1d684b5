// The markers before each scan of a JPEG that has several: Huffman tables, restart intervals, what the scan holds.
#pragma once

#include <array>
#include <optional>

#include "codecs/jpeg/libjpeg.h"

namespace penstock {

/// What a scan holds.
struct ScanHeader {
  struct Component {
    int index = 0;  // in the frame
    int dc_table = 0, ac_table = 0;
  };
  int count = 0;
  std::array<Component, MAX_COMPS_IN_SCAN> components;
  int first = 0, last = 0;  // coefficients
  int high = 0, low = 0;    // the bit down to which they are known, or 0 if not at all, and will be then
};

/// Reads markers as libjpeg does, and gives up where it would warn or fail.
class ScanHeaders {
 public:
  enum class Found { scan, end, unknown };

  /// Goes on behind the first scan's header, which `info` has read. False where components share a name.
  bool begin(const jpeg_decompress_struct& info);

  /// Reads the segment of `marker`, which begins at `at`, and those behind it, up to the data of the next scan or the
  /// end of the image. Moves `at` there.
  Found next(JOCTET marker, const JOCTET*& at, const JOCTET* end);

  const ScanHeader& scan() const { return scan_; }
  unsigned restart_interval() const { return restart_interval_; }
  /// Null where the file has no such table.
  const JHUFF_TBL* dc_table(int number) const { return get(dc_tables_, number); }
  const JHUFF_TBL* ac_table(int number) const { return get(ac_tables_, number); }

 private:
  using Tables = std::array<std::optional<JHUFF_TBL>, NUM_HUFF_TBLS>;

  static const JHUFF_TBL* get(const Tables& tables, int number) {
    return number < NUM_HUFF_TBLS && tables[number] ? &*tables[number] : nullptr;
  }

  bool read_tables(const JOCTET* at, const JOCTET* end);
  bool read_restart_interval(const JOCTET* at, const JOCTET* end);
  bool read_scan(const JOCTET* at, const JOCTET* end);

  std::array<int, MAX_COMPS_IN_SCAN> ids_{};
  int components_ = 0;
  Tables dc_tables_, ac_tables_;
  unsigned restart_interval_ = 0;
  ScanHeader scan_;
};

}  // namespace penstock
