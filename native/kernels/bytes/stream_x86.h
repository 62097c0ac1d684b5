// Copies that go past the caches, by AVX2 and AVX-512. Included by stream.cc only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/instruction_sets.h"

#ifdef PENSTOCK_X86

namespace penstock {

PENSTOCK_AVX2 void stream_avx2(std::byte* out, const std::byte* in, int64_t bytes);
PENSTOCK_AVX512 void stream_avx512(std::byte* out, const std::byte* in, int64_t bytes);
PENSTOCK_AVX2 void stream_zeros_avx2(std::byte* out, int64_t bytes);

/// Waits until what was streamed is in memory for other threads to see.
void store_fence();

}  // namespace penstock

#endif
