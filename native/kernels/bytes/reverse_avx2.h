// Pieces of a few bytes in reverse order, by AVX2. Included by reverse.cc only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/instruction_sets.h"

#ifdef PENSTOCK_X86

namespace penstock {

/// Begins with the last of the n pieces of `in`; returns how many were written. Pieces have 1, 2, 3, 4, 6 or 8 bytes.
template <int kBytes>
PENSTOCK_AVX2 int64_t reverse_avx2(std::byte* out, const std::byte* in, int64_t n);

}  // namespace penstock

#endif
