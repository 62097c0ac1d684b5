// Brightness and contrast of bytes, by AVX2. Included by linear_map.cc only.
#pragma once

#include <cstdint>

#include "cpu/instruction_sets.h"

#ifdef PENSTOCK_X86

namespace penstock {

/// Results must fit in 32 bits before they are saturated. Returns how many of the n bytes were done.
PENSTOCK_AVX2 int64_t linear_bytes_avx2(uint8_t* to, const uint8_t* from, int64_t n, float factor, float addend);

}  // namespace penstock

#endif
