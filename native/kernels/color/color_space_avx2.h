// Colour spaces of 8-bit pixels, by AVX2. Included by color_space.cc only.
#pragma once

#include <cstdint>

#include "cpu/instruction_sets.h"
#include "kernels/color/luma_weights.h"

#ifdef PENSTOCK_X86

namespace penstock {

// All return how many of the pixels were done.
PENSTOCK_AVX2 int64_t swap_red_and_blue_avx2(uint8_t* out, const uint8_t* in, int64_t pixels);
/// `first` and `third` are the weights of the first and the third channel.
PENSTOCK_AVX2 int64_t color_to_gray_avx2(uint8_t* gray, const uint8_t* color, int64_t pixels, int first, int third);
/// Grey into the first `channels` of three, `fill` into the others.
PENSTOCK_AVX2 int64_t spread_gray_avx2(uint8_t* color, const uint8_t* gray, int64_t pixels, int channels, uint8_t fill);

}  // namespace penstock

#endif
