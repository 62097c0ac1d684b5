// Cutting a window out of an array: what crop, slice and pad have in common.
#pragma once

#include <array>

#include "kernels/axis_map.h"
#include "kernels/convert.h"

namespace penstock {

/// What positions beyond the input hold: elements of the output's type, one for all or one per channel.
struct FillValues {
  const std::byte* elements = nullptr;
  int64_t count = 1;
  int channel_axis = -1;
};

using AxisMaps = std::array<AxisMap, kMaxDims>;

/// Writes the window that `maps` describe, axis by axis and none of them mirrored, into `out`; `convert` takes elements
/// of the input's type to the output's.
void extract(View out, ConstView in, const AxisMaps& maps, const FillValues& fill, ConvertRow convert);

}  // namespace penstock
