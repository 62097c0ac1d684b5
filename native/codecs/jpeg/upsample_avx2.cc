#include "codecs/jpeg/upsample.h"

#ifdef PENSTOCK_X86
#include <immintrin.h>

namespace penstock {
namespace {

constexpr int64_t kLanes = 16;

PENSTOCK_AVX2 inline __m256i load_wide(const uint8_t* from) {
  return _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}

PENSTOCK_AVX2 inline __m256i thrice(__m256i x) { return _mm256_add_epi16(x, _mm256_add_epi16(x, x)); }

/// Where the even and the odd values of 16 samples stand beside each other, one to a byte.
PENSTOCK_AVX2 inline void store_alternating(uint8_t* out, __m256i even, __m256i odd) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_or_si256(even, _mm256_slli_epi16(odd, 8)));
}

/// Three times `near` and once `far`.
PENSTOCK_AVX2 inline __m256i column_sum(const uint8_t* near, const uint8_t* far) {
  return _mm256_add_epi16(thrice(load_wide(near)), load_wide(far));
}

}  // namespace

// Halves are rounded down on one side and up on the other.
PENSTOCK_AVX2 void upsample_columns(uint8_t* out, const uint8_t* row, int64_t samples) {
  const __m256i one = _mm256_set1_epi16(1), two = _mm256_set1_epi16(2);
  for (int64_t k = 0; k < samples; k += kLanes) {
    const __m256i here = thrice(load_wide(row + k));
    const __m256i even = _mm256_add_epi16(_mm256_add_epi16(here, load_wide(row + k - 1)), one);
    const __m256i odd = _mm256_add_epi16(_mm256_add_epi16(here, load_wide(row + k + 1)), two);
    store_alternating(out + 2 * k, _mm256_srli_epi16(even, 2), _mm256_srli_epi16(odd, 2));
  }
}

PENSTOCK_AVX2 void upsample_both(uint8_t* out, const uint8_t* near, const uint8_t* far, int64_t samples) {
  const __m256i seven = _mm256_set1_epi16(7), eight = _mm256_set1_epi16(8);
  for (int64_t k = 0; k < samples; k += kLanes) {
    const __m256i here = thrice(column_sum(near + k, far + k));
    const __m256i even = _mm256_add_epi16(_mm256_add_epi16(here, column_sum(near + k - 1, far + k - 1)), eight);
    const __m256i odd = _mm256_add_epi16(_mm256_add_epi16(here, column_sum(near + k + 1, far + k + 1)), seven);
    store_alternating(out + 2 * k, _mm256_srli_epi16(even, 4), _mm256_srli_epi16(odd, 4));
  }
}

}  // namespace penstock
#endif
