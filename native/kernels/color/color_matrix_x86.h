// A linear map of the colours of 8-bit pixels, by AVX2 and AVX-512. Included by color_matrix.cc only.
#pragma once

#include <cstdint>

#include "cpu/instruction_sets.h"
#include "kernels/color/color_matrix.h"

#ifdef PENSTOCK_X86

namespace penstock {

/// Results must fit in 32 bits before they are saturated. Returns how many of the pixels were done.
PENSTOCK_AVX2 int64_t map_bytes_avx2(uint8_t* to, const uint8_t* from, int64_t pixels, const ColorMap& map);
PENSTOCK_AVX512 int64_t map_bytes_avx512(uint8_t* to, const uint8_t* from, int64_t pixels, const ColorMap& map);
/// Results must fit in 15 bits before they are saturated. What is written past the caches needs `finish_streams`.
PENSTOCK_AVX512_VNNI int64_t map_bytes_vbmi(uint8_t* to, const uint8_t* from, int64_t pixels, const ColorMap& map,
                                            bool past_caches);

}  // namespace penstock

#endif
