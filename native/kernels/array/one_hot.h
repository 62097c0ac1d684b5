// One-hot encoding of indices.
#pragma once

#include "memory/view.h"

namespace penstock {

/// Writes `out`, which is `in` with an axis of classes inserted at `axis`: `on` where the index along it is the
/// element's whole part, `off` elsewhere. `on` and `off` are single elements of the type of `out`.
void one_hot(View out, ConstView in, int axis, const std::byte* on, const std::byte* off);

}  // namespace penstock
