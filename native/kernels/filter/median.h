// The median of the surroundings of every pixel.
#pragma once

#include "kernels/filter/separable.h"

namespace penstock {

/// Writes the median of the `size` x `size` pixels around every pixel, where size is 3 or 5 and elements are u8, u16,
/// i16, i32 or f32. Beyond the edges the outermost pixels go on.
void take_medians(View out, ConstView in, const Volume& volume, int size, Scratch& scratch);

}  // namespace penstock
