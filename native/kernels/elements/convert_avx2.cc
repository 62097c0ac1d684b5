#include "kernels/elements/convert_avx2.h"

#ifdef PENSTOCK_X86

#include <immintrin.h>

#include "kernels/elements/convert.h"

namespace penstock {

PENSTOCK_AVX2 int64_t floats_to_halves_avx2(uint16_t* out, const float* in, int64_t n) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), _mm256_cvtps_ph(_mm256_loadu_ps(in + i), 0));
  return i;
}

PENSTOCK_AVX2 int64_t halves_to_floats_avx2(float* out, const uint16_t* in, int64_t n) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    _mm256_storeu_ps(out + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i))));
  return i;
}

// Not left to the compiler: what it makes of saturation and narrowing takes four times as long.
PENSTOCK_AVX2 int64_t floats_to_bytes_avx2(uint8_t* out, const float* in, int64_t n) {
  const __m256 top = _mm256_set1_ps(255), half = _mm256_set1_ps(half_away(0.0f));
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  int64_t i = 0;
  for (; i + 32 <= n; i += 32) {
    __m256i part[4];
    for (int k = 0; k < 4; ++k) {
      const __m256 positive = _mm256_max_ps(_mm256_loadu_ps(in + i + 8 * k), _mm256_setzero_ps());
      part[k] = _mm256_cvttps_epi32(_mm256_add_ps(_mm256_min_ps(positive, top), half));
    }
    const __m256i packed =
        _mm256_packus_epi16(_mm256_packs_epi32(part[0], part[1]), _mm256_packs_epi32(part[2], part[3]));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), _mm256_permutevar8x32_epi32(packed, order));
  }
  return i;
}

}  // namespace penstock

#endif
