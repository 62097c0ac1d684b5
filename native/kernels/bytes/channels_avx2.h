// RGB bytes to planes and back, by AVX2. Included by channels.cc only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/instruction_sets.h"

#ifdef PENSTOCK_X86

namespace penstock {

/// Sixteen pixels at a time; returns how many of the n pixels were done.
PENSTOCK_AVX2 int64_t split_rgb_avx2(std::byte* out, int64_t plane, const std::byte* in, int64_t n);
PENSTOCK_AVX2 int64_t join_rgb_avx2(std::byte* out, const std::byte* in, int64_t plane, int64_t n);

}  // namespace penstock

#endif
