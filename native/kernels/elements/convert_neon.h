// Floats to bytes and to half precision and back, by NEON. Included by convert.cc only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/arm_instruction_sets.h"

#ifdef PENSTOCK_NEON

namespace penstock {

// All return how many of the n elements were done.
int64_t floats_to_halves_neon(uint16_t* out, const float* in, int64_t n);
int64_t halves_to_floats_neon(float* out, const uint16_t* in, int64_t n);
int64_t floats_to_bytes_neon(uint8_t* out, const float* in, int64_t n);

}  // namespace penstock

#endif
