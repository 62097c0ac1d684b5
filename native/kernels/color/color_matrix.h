// A linear map of colours: hue, saturation, brightness and contrast as one matrix.
#pragma once

#include "memory/view.h"

namespace penstock {

/// Rows of three factors and an addend, one for every channel of the result.
using ColorMap = float[3][4];

/// Maps the pixels of `in`, whose last axis has 3 channels, in single precision; the result is rounded and saturated
/// to the type of `out`, which has the same shape. `past_caches` tells that nobody will read the result while it would
/// still be in them.
void map_colors(View out, ConstView in, const ColorMap& map, bool past_caches);

}  // namespace penstock
