// Contrast-limited adaptive histogram equalisation of 8-bit images.
#pragma once

#include <cstdint>

#include "memory/scratch.h"

namespace penstock {

struct ClaheGrid {
  int64_t columns, rows;
  double clip_limit;  // most pixels a level may count, in multiples of the average; none unless positive
};

/// Equalises a plane tile by tile, as OpenCV does it, to the last bit. `out` and `in` may be the same.
void clahe(uint8_t* out, const uint8_t* in, int64_t height, int64_t width, const ClaheGrid& grid, Scratch& scratch);

}  // namespace penstock
