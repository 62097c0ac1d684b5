// Copies arrays with constants in some regions.
#pragma once

#include <span>

#include "kernels/array/fill.h"

namespace penstock {

/// A part of an array: positions [begin, end) along every axis, inside the array.
struct Region {
  Shape begin, end;
};

/// Copies `in` to `out` of the same shape, with `fill` in the given regions.
void erase(View out, ConstView in, std::span<const Region> regions, const FillValues& fill);

}  // namespace penstock
