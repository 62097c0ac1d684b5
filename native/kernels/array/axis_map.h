// Maps positions along one axis of a window to the input: in a run, mirrored, repeated or to no element.
#pragma once

#include <algorithm>
#include <cstdint>

namespace penstock {

/// What lies beyond the edges of the input. `error` and `trim` windows never reach there.
enum class Border : uint8_t { error, pad, trim, edge, reflect_1001, reflect_101, wrap };

struct AxisMap {
  int64_t extent = 0;              // positions in the window
  int64_t before = 0;              // filled ones at the start
  int64_t inside = 0;              // then those taken from the input; the rest is filled
  int64_t first = 0;               // where the first of them comes from
  int64_t step = 1;                // -1 where the axis is mirrored
  const int64_t* table = nullptr;  // where each of them comes from, when that is no run

  /// The place in the input of position k of the window; negative where it is filled.
  int64_t source(int64_t k) const {
    k -= before;
    if (k < 0 || k >= inside) return -1;
    return table ? table[k] : first + k * step;
  }
  bool is_run() const { return step == 1 && !table; }
};

/// The position on an axis of `size`, at least 1, that a border repeats at `i`, which may be anywhere.
int64_t repeated(int64_t i, int64_t size, Border border);

/// Whether the window reaches beyond the edges.
inline bool reaches_out(int64_t anchor, int64_t extent, int64_t size) { return anchor < 0 || anchor + extent > size; }

/// Maps a window of `extent` positions from `anchor` on an axis of `size`. `table` has room for `extent` numbers, and
/// is used only where the border repeats the input, which then must not be empty.
AxisMap map_axis(int64_t size, int64_t anchor, int64_t extent, Border border, bool mirrored, int64_t* table);

}  // namespace penstock
