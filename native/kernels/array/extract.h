// Cutting a window out of an array: what crop, slice and pad have in common.
#pragma once

#include <array>

#include "kernels/array/axis_map.h"
#include "kernels/array/fill.h"
#include "kernels/elements/convert.h"

namespace penstock {

using AxisMaps = std::array<AxisMap, kMaxDims>;

/// Writes the window that `maps` describe, axis by axis and none of them mirrored, into `out`; `convert` takes elements
/// of the input's type to the output's, `fill` is what lies beyond the input. `past_caches` tells that nobody will read
/// the result while it would still be in them.
void extract(View out, ConstView in, const AxisMaps& maps, const FillValues& fill, ConvertRow convert,
             bool past_caches);

}  // namespace penstock
