#include "kernels/color/lookup_avx2.h"

#ifdef PENSTOCK_X86

#include <immintrin.h>

#include "cpu/prefetch.h"

namespace penstock {

// A shuffle looks 16 entries up by the low bits of a byte, and gives 0 if its top bit is set. Each shuffle is of the
// difference from the 16 entries before; 16 less every time, so that a byte takes part until it has reached its own.
PENSTOCK_AVX2 int64_t look_up_bytes_avx2(uint8_t* out, const uint8_t* in, int64_t n, const uint8_t* table) {
  __m256i steps[16];
  for (int k = 0; k < 16; ++k) {
    const __m128i own = _mm_loadu_si128(reinterpret_cast<const __m128i*>(table + 16 * k));
    const __m128i before = _mm_loadu_si128(reinterpret_cast<const __m128i*>(table + 16 * (k - (k % 8 != 0))));
    steps[k] = _mm256_broadcastsi128_si256(k % 8 ? _mm_xor_si128(own, before) : own);
  }
  const __m256i less = _mm256_set1_epi8(16), top = _mm256_set1_epi8(-128);
  int64_t i = 0;
  for (; i + 32 <= n; i += 32) {
    prefetch_later(in + i, out + i);
    __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + i)), high = _mm256_xor_si256(low, top);
    __m256i found = _mm256_setzero_si256();
    for (int k = 0; k < 8; ++k) {
      found = _mm256_xor_si256(found, _mm256_shuffle_epi8(steps[k], low));
      found = _mm256_xor_si256(found, _mm256_shuffle_epi8(steps[k + 8], high));
      low = _mm256_subs_epi8(low, less);
      high = _mm256_subs_epi8(high, less);
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), found);
  }
  return i;
}

}  // namespace penstock

#endif
