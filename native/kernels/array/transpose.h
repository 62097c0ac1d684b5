// Permutes the axes of arrays.
#pragma once

#include <array>

#include "memory/view.h"

namespace penstock {

/// Permutes the axes: axis k of `out` is axis order[k] of `in`.
void transpose(View out, ConstView in, const std::array<int, kMaxDims>& order);

}  // namespace penstock
