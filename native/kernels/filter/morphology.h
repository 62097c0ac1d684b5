// The largest or smallest pixel in the surroundings of every pixel.
#pragma once

#include "kernels/array/axis_map.h"
#include "kernels/filter/separable.h"

namespace penstock {

/// A rectangle of pixels; `anchor` says which of them lies on the pixel that is made.
struct Mask {
  int64_t rows = 1, columns = 1;
  int64_t anchor_row = 0, anchor_column = 0;
};

enum class Extreme : uint8_t { smallest, largest };

/// Writes the extreme of all pixels under the mask, for elements of type u8, u16, i16 or f32. With Border::pad, what
/// lies beyond the edges counts for nothing.
void take_extremes(View out, ConstView in, const Volume& volume, const Mask& mask, Border border, Extreme extreme,
                   Scratch& scratch);

}  // namespace penstock
