// Weighted sums of rows of 16-bit fixed-point numbers, by AVX2. Included by weighted_sum.cc only.
#pragma once

#include <cstdint>

#include "cpu/instruction_sets.h"

#ifdef PENSTOCK_X86

namespace penstock {

/// symmetric_weighted_sum of Fixed16, where kHasAvx2: Clang does not find the instruction for its rounded product by
/// itself. Returns false, having done nothing, where rows are shorter than a vector.
bool symmetric_weighted_sum_avx2(int16_t* out, const int16_t* const* row, const int16_t* weight, int radius, int64_t n,
                                 bool adds);

}  // namespace penstock

#endif
