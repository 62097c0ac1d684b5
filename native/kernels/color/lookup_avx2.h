// Bytes looked up in a table of 256, by AVX2. Included by lookup.cc only.
#pragma once

#include <cstdint>

#include "cpu/instruction_sets.h"

#ifdef PENSTOCK_X86

namespace penstock {

/// Returns how many of the n bytes were done.
PENSTOCK_AVX2 int64_t look_up_bytes_avx2(uint8_t* out, const uint8_t* in, int64_t n, const uint8_t* table);

}  // namespace penstock

#endif
