// Mirrors arrays along any axes.
#pragma once

#include "memory/view.h"

namespace penstock {

/// Mirrors `in` into `out`, which has the same shape and does not overlap it, along every axis whose bit is in `mask`.
/// `past_caches` tells that nobody will read the result while it would still be in them.
void flip(View out, ConstView in, unsigned mask, bool past_caches);

}  // namespace penstock
