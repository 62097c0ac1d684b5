// Division of i32 by one number, by AVX2. Included by integer_division.cc only.
#pragma once

#include "cpu/instruction_sets.h"
#include "kernels/arithmetic/division_factor.h"

#ifdef PENSTOCK_X86

namespace penstock {

// Both return how many of the n elements were done.
PENSTOCK_AVX2 int64_t quotients_avx2(int32_t* out, const int32_t* in, const DivisionFactor& by, int64_t n);
PENSTOCK_AVX2 int64_t remainders_avx2(int32_t* out, const int32_t* in, const DivisionFactor& by, int64_t n);

}  // namespace penstock

#endif
