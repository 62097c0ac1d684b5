#include "kernels/color/color_matrix_x86.h"

#ifdef PENSTOCK_X86

#include <immintrin.h>

#include "cpu/prefetch.h"
#include "kernels/elements/convert.h"

namespace penstock {
namespace {

// Four pixels in each 16 bytes of a register: spread[c] makes channel c 32 bits wide, join puts the bytes of three
// channels, four pixels each, next to each other. For the widest registers, apart and together move pixels between
// 12 bytes next to each other and 12 bytes in each 16.
struct Shuffles {
  alignas(64) int8_t spread[3][64];
  alignas(64) int8_t join[64];
  alignas(64) int32_t apart[16];
  alignas(64) int32_t together[16];
  constexpr Shuffles() : spread(), join(), apart(), together() {
    for (int i = 0; i < 64; ++i) {
      const int at = i % 16;
      for (int c = 0; c < 3; ++c) spread[c][i] = static_cast<int8_t>(at % 4 ? -1 : at / 4 * 3 + c);
      join[i] = static_cast<int8_t>(at < 12 ? at % 3 * 4 + at / 3 : -1);
    }
    for (int i = 0; i < 16; ++i) {
      apart[i] = i / 4 * 3 + i % 4;
      together[i] = i / 3 * 4 + i % 3;
    }
  }
};
constexpr Shuffles kShuffles;

PENSTOCK_AVX2 inline __m256i load(const int8_t* from) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(from));
}

PENSTOCK_AVX2 inline __m256i load_pixels(const uint8_t* from) {
  const auto* low = reinterpret_cast<const __m128i*>(from);
  const auto* high = reinterpret_cast<const __m128i*>(from + 12);
  return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(low)), _mm_loadu_si128(high), 1);
}

}  // namespace

// Eight pixels at a time, reading and writing four bytes more.
PENSTOCK_AVX2 int64_t map_bytes_avx2(uint8_t* to, const uint8_t* from, int64_t pixels, const ColorMap& map) {
  const __m256i spread[3] = {load(kShuffles.spread[0]), load(kShuffles.spread[1]), load(kShuffles.spread[2])};
  const __m256i join = load(kShuffles.join);
  const __m256 half = _mm256_set1_ps(half_away(0.0f));
  __m256 m[3][4];
  for (int k = 0; k < 12; ++k) m[k / 4][k % 4] = _mm256_set1_ps(map[k / 4][k % 4]);
  int64_t i = 0;
  for (; i + 10 <= pixels; i += 8) {
    prefetch_later(from + 3 * i, to + 3 * i);
    const __m256i eight = load_pixels(from + 3 * i);
    __m256 channel[3];
    for (int c = 0; c < 3; ++c) channel[c] = _mm256_cvtepi32_ps(_mm256_shuffle_epi8(eight, spread[c]));
    __m256i made[3];
    for (int c = 0; c < 3; ++c) {
      const __m256 two = _mm256_add_ps(_mm256_mul_ps(m[c][0], channel[0]), _mm256_mul_ps(m[c][1], channel[1]));
      const __m256 sum = _mm256_add_ps(_mm256_add_ps(two, _mm256_mul_ps(m[c][2], channel[2])), m[c][3]);
      made[c] = _mm256_cvttps_epi32(_mm256_add_ps(sum, half));
    }
    const __m256i words = _mm256_packs_epi32(made[0], made[1]), last = _mm256_packs_epi32(made[2], made[2]);
    const __m256i bytes = _mm256_shuffle_epi8(_mm256_packus_epi16(words, last), join);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 3 * i), _mm256_castsi256_si128(bytes));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 3 * i + 12), _mm256_extracti128_si256(bytes, 1));
  }
  return i;
}

// Sixteen pixels at a time, none too many. Masks of all lanes stand where GCC 12 warns of its own header.
PENSTOCK_AVX512 int64_t map_bytes_avx512(uint8_t* to, const uint8_t* from, int64_t pixels, const ColorMap& map) {
  constexpr __mmask16 kPixels = 0x0fff, kAll = 0xffff;
  const __m512i apart = _mm512_load_si512(kShuffles.apart), together = _mm512_load_si512(kShuffles.together);
  const __m512i spread[3] = {_mm512_load_si512(kShuffles.spread[0]), _mm512_load_si512(kShuffles.spread[1]),
                             _mm512_load_si512(kShuffles.spread[2])};
  const __m512i join = _mm512_load_si512(kShuffles.join);
  const __m512 half = _mm512_set1_ps(half_away(0.0f));
  __m512 m[3][4];
  for (int k = 0; k < 12; ++k) m[k / 4][k % 4] = _mm512_set1_ps(map[k / 4][k % 4]);
  int64_t i = 0;
  for (; i + 16 <= pixels; i += 16) {
    prefetch_later(from + 3 * i, to + 3 * i);
    const __m512i sixteen =
        _mm512_maskz_permutexvar_epi32(kAll, apart, _mm512_maskz_loadu_epi32(kPixels, from + 3 * i));
    __m512 channel[3];
    for (int c = 0; c < 3; ++c) channel[c] = _mm512_maskz_cvtepi32_ps(kAll, _mm512_shuffle_epi8(sixteen, spread[c]));
    __m512i made[3];
    for (int c = 0; c < 3; ++c) {
      const __m512 two = _mm512_add_ps(_mm512_mul_ps(m[c][0], channel[0]), _mm512_mul_ps(m[c][1], channel[1]));
      const __m512 sum = _mm512_add_ps(_mm512_add_ps(two, _mm512_mul_ps(m[c][2], channel[2])), m[c][3]);
      made[c] = _mm512_maskz_cvttps_epi32(kAll, _mm512_add_ps(sum, half));
    }
    const __m512i words = _mm512_packs_epi32(made[0], made[1]), last = _mm512_packs_epi32(made[2], made[2]);
    const __m512i bytes = _mm512_shuffle_epi8(_mm512_packus_epi16(words, last), join);
    _mm512_mask_storeu_epi32(to + 3 * i, kPixels, _mm512_maskz_permutexvar_epi32(kAll, together, bytes));
  }
  return i;
}

}  // namespace penstock

#endif
