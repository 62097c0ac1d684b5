// Floats to bytes and to half precision and back, by AVX2 and F16C. Included by convert.cc only.
#pragma once

#include <cstdint>

#include "cpu/instruction_sets.h"

#ifdef PENSTOCK_X86

namespace penstock {

// All return how many of the n elements were done.
PENSTOCK_AVX2 int64_t floats_to_halves_avx2(uint16_t* out, const float* in, int64_t n);
PENSTOCK_AVX2 int64_t halves_to_floats_avx2(float* out, const uint16_t* in, int64_t n);
PENSTOCK_AVX2 int64_t floats_to_bytes_avx2(uint8_t* out, const float* in, int64_t n);

}  // namespace penstock

#endif
