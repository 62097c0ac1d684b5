#include "kernels/filter/weighted_sum_avx2.h"

#ifdef PENSTOCK_X86

#include <immintrin.h>

#define PENSTOCK_LANES PENSTOCK_AVX2

namespace penstock {
namespace {

using Lanes = uint16_t __attribute__((vector_size(32)));

PENSTOCK_LANES inline Lanes product(Lanes a, Lanes b) {
  return reinterpret_cast<Lanes>(_mm256_mulhrs_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
}

}  // namespace
}  // namespace penstock

#include "kernels/filter/weighted_sum_lanes.h"

namespace penstock {

bool symmetric_weighted_sum_avx2(int16_t* out, const int16_t* const* row, const int16_t* weight, int radius, int64_t n,
                                 bool adds) {
  return put_symmetric_sums(out, row, weight, radius, n, adds);
}

}  // namespace penstock

#endif
