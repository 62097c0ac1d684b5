// Linear maps of bytes and of the colours of 8-bit pixels, by NEON. Included by linear_map.cc and color_matrix.cc only.
#pragma once

#include <cstdint>

#include "cpu/arm_instruction_sets.h"
#include "kernels/color/color_matrix.h"

#ifdef PENSTOCK_NEON

namespace penstock {

/// Returns how many of the n bytes were done.
int64_t linear_bytes_neon(uint8_t* to, const uint8_t* from, int64_t n, float factor, float addend);

/// Returns how many of the pixels were done.
int64_t map_bytes_neon(uint8_t* to, const uint8_t* from, int64_t pixels, const ColorMap& map);

}  // namespace penstock

#endif
