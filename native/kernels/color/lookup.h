// Elements looked up in a table.
#pragma once

#include "memory/view.h"

namespace penstock {

/// Puts `table[in]` where `in` is in [0, entries), else `other`. `in` is of a whole type; entries have the size of the
/// elements of `out`, which has the same shape.
void look_up(View out, ConstView in, const std::byte* table, int64_t entries, const std::byte* other);

/// The same for bytes and a table of 256. May work in place.
void look_up_bytes(uint8_t* out, const uint8_t* in, int64_t n, const uint8_t* table);

/// The same for pixels of several channels, each of which has a table of its own.
void look_up_channels(uint8_t* out, const uint8_t* in, int64_t pixels, int64_t channels, const uint8_t* tables);

}  // namespace penstock
