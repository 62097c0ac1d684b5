#include "kernels/color/color_space_avx2.h"

#ifdef PENSTOCK_X86

#include <immintrin.h>

#include "cpu/prefetch.h"

namespace penstock {
namespace {

PENSTOCK_AVX2 inline __m128i load(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }
PENSTOCK_AVX2 inline void store(void* to, __m128i bytes) { _mm_storeu_si128(static_cast<__m128i*>(to), bytes); }

/// The luma of four pixels, 12 bytes of the 16 given, as 32-bit numbers.
PENSTOCK_AVX2 inline __m128i luma(__m128i pixels, __m128i first_two, __m128i third) {
  const __m128i pair = _mm_shuffle_epi8(pixels, _mm_setr_epi8(0, -1, 1, -1, 3, -1, 4, -1, 6, -1, 7, -1, 9, -1, 10, -1));
  const __m128i last =
      _mm_shuffle_epi8(pixels, _mm_setr_epi8(2, -1, -1, -1, 5, -1, -1, -1, 8, -1, -1, -1, 11, -1, -1, -1));
  const __m128i sum = _mm_add_epi32(_mm_madd_epi16(pair, first_two), _mm_madd_epi16(last, third));
  return _mm_srli_epi32(_mm_add_epi32(sum, _mm_set1_epi32(1 << (kLumaBits - 1))), kLumaBits);
}

}  // namespace

// Five pixels and a byte at a time; that byte is written as it was, and again with the next five.
PENSTOCK_AVX2 int64_t swap_red_and_blue_avx2(uint8_t* out, const uint8_t* in, int64_t pixels) {
  const __m128i swapped = _mm_setr_epi8(2, 1, 0, 5, 4, 3, 8, 7, 6, 11, 10, 9, 14, 13, 12, 15);
  int64_t i = 0;
  for (; i + 21 <= pixels; i += 20) {
    prefetch_later(in + 3 * i, out + 3 * i);
    for (int64_t k = 3 * i; k < 3 * (i + 20); k += 15) store(out + k, _mm_shuffle_epi8(load(in + k), swapped));
  }
  return i;
}

PENSTOCK_AVX2 int64_t color_to_gray_avx2(uint8_t* gray, const uint8_t* color, int64_t pixels, int first, int third) {
  const __m128i pair = _mm_set1_epi32(kLumaGreen << 16 | first), last = _mm_set1_epi32(third);
  int64_t i = 0;
  for (; i + 18 <= pixels; i += 16) {
    const uint8_t* at = color + 3 * i;
    prefetch_later(at, gray + i);
    const __m128i low = _mm_packs_epi32(luma(load(at), pair, last), luma(load(at + 12), pair, last));
    const __m128i high = _mm_packs_epi32(luma(load(at + 24), pair, last), luma(load(at + 36), pair, last));
    store(gray + i, _mm_packus_epi16(low, high));
  }
  return i;
}

// Sixteen pixels at a time.
PENSTOCK_AVX2 int64_t spread_gray_avx2(uint8_t* color, const uint8_t* gray, int64_t pixels, int channels,
                                       uint8_t fill) {
  alignas(16) int8_t where[48];
  alignas(16) uint8_t others[48];
  for (int k = 0; k < 48; ++k) {
    where[k] = static_cast<int8_t>(k % 3 < channels ? k / 3 : -1);
    others[k] = k % 3 < channels ? 0 : fill;
  }
  int64_t i = 0;
  for (; i + 16 <= pixels; i += 16) {
    prefetch_later(gray + i, color + 3 * i);
    for (int b = 0; b < 48; b += 16)
      store(color + 3 * i + b, _mm_or_si128(_mm_shuffle_epi8(load(gray + i), load(where + b)), load(others + b)));
  }
  return i;
}

}  // namespace penstock

#endif
