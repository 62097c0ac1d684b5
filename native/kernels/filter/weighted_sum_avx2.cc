#include "kernels/filter/weighted_sum_avx2.h"

#ifdef PENSTOCK_X86

#include <immintrin.h>

namespace penstock {
namespace {

PENSTOCK_AVX2 inline __m256i load(const int16_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

}  // namespace

// Four vectors at a time: their sums stay in registers while rows and weights are loaded.
PENSTOCK_AVX2 int64_t symmetric_weighted_sum_avx2(int16_t* out, const int16_t* const* row, const int16_t* weight,
                                                  int radius, int64_t n, bool adds) {
  constexpr int kVectors = 4, kLanes = 16;
  const int16_t* const* middle = row + radius;
  int64_t x = 0;
  for (; x + kVectors * kLanes <= n; x += kVectors * kLanes) {
    __m256i sum[kVectors], factor = _mm256_set1_epi16(weight[0]);
    for (int i = 0; i < kVectors; ++i) {
      const int64_t at = x + i * kLanes;
      const __m256i begin = adds ? load(out + at) : _mm256_setzero_si256();
      sum[i] = _mm256_add_epi16(begin, _mm256_mulhrs_epi16(load(*middle + at), factor));
    }
    for (int k = 1; k <= radius; ++k) {
      const int16_t *low = middle[-k], *high = middle[k];
      factor = _mm256_set1_epi16(weight[k]);
      for (int i = 0; i < kVectors; ++i) {
        const int64_t at = x + i * kLanes;
        const __m256i pair = _mm256_add_epi16(load(low + at), load(high + at));
        sum[i] = _mm256_add_epi16(sum[i], _mm256_mulhrs_epi16(pair, factor));
      }
    }
    for (int i = 0; i < kVectors; ++i) _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + x + i * kLanes), sum[i]);
  }
  return x;
}

}  // namespace penstock

#endif
