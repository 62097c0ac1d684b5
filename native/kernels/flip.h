#pragma once

#include "kernels/view.h"

namespace penstock {

/// Mirrors `in` into `out`, which has the same shape and does not overlap it, along every axis whose bit is in `mask`.
void flip(View out, ConstView in, unsigned mask);

}  // namespace penstock
