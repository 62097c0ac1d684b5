// Colours from the raw image of a sensor behind a Bayer filter.
#pragma once

#include "memory/scratch.h"
#include "memory/view.h"

namespace penstock {

/// Fills in missing colours by bilinear interpolation, as OpenCV does it, to the last bit. `in` is an image of u8 or
/// u16 with even sides, `out` the same with three channels, red first. `blue_row` and `blue_column` tell where blue is
/// in the 2 x 2 tile that begins in the second row and column.
void debayer(View out, ConstView in, int blue_row, int blue_column, Scratch& scratch);

}  // namespace penstock
