#include "kernels/color/linear_map_avx2.h"

#ifdef PENSTOCK_X86

#include <immintrin.h>

#include "cpu/prefetch.h"
#include "kernels/elements/convert.h"

namespace penstock {

PENSTOCK_AVX2 int64_t linear_bytes_avx2(uint8_t* to, const uint8_t* from, int64_t n, float factor, float addend) {
  const __m256 scale = _mm256_set1_ps(factor), shift = _mm256_set1_ps(addend), half = _mm256_set1_ps(half_away(0.0f));
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  int64_t i = 0;
  for (; i + 32 <= n; i += 32) {
    prefetch_later(from + i, to + i);
    __m256i part[4];
    for (int k = 0; k < 4; ++k) {
      const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from + i + 8 * k));
      const __m256 value = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes));
      const __m256 line = _mm256_add_ps(_mm256_mul_ps(value, scale), shift);
      part[k] = _mm256_cvttps_epi32(_mm256_add_ps(line, half));
    }
    const __m256i packed =
        _mm256_packus_epi16(_mm256_packs_epi32(part[0], part[1]), _mm256_packs_epi32(part[2], part[3]));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), _mm256_permutevar8x32_epi32(packed, order));
  }
  return i;
}

}  // namespace penstock

#endif
