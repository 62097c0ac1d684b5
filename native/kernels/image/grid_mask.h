// Clears a regular grid of squares in an image.
#pragma once

#include "memory/scratch.h"
#include "memory/view.h"

namespace penstock {

/// A regular grid of squares: of each `tile` pixels in both directions, the first `ratio` of them.
struct Grid {
  int32_t tile = 1;
  float ratio = 0, angle = 0;
  float shift_x = 0, shift_y = 0;
};

/// Copies `in` to `out` of the same shape, with zeros inside the squares. Rows lie along `row_axis`, pixels along the
/// axis after it.
void grid_mask(View out, ConstView in, int row_axis, const Grid& grid, Scratch& scratch);

}  // namespace penstock
