// Bytes looked up in a table of 256, by NEON. Included by lookup.cc only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/arm_instruction_sets.h"

#ifdef PENSTOCK_NEON

namespace penstock {

/// Returns how many of the n bytes were done.
int64_t look_up_bytes_neon(uint8_t* out, const uint8_t* in, int64_t n, const uint8_t* table);

}  // namespace penstock

#endif
