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

namespace {

constexpr int64_t kBlock = 64;  // pixels, three lines of the cache
constexpr int64_t kBytesAhead = 1536;

// Where the bytes of a block are. wide[c] takes channel c of sixteen pixels to the lowest bytes of 32-bit numbers.
// Bytes of a channel that were packed from four vectors of 32-bit numbers lie out of order: from_two[k] takes those of
// line k from the first two channels, from_last[k] from the third, which is_last[k] tells apart.
struct BlockShuffles {
  alignas(64) uint8_t wide[3][64];
  alignas(64) uint8_t from_two[3][64];
  alignas(64) uint8_t from_last[3][64];
  uint64_t is_last[3];
  constexpr BlockShuffles() : wide(), from_two(), from_last(), is_last() {
    for (int i = 0; i < 64; ++i)
      for (int k = 0; k < 3; ++k) {
        wide[k][i] = static_cast<uint8_t>(i / 4 * 3 + k);
        const int pixel = (64 * k + i) / 3, channel = (64 * k + i) % 3;
        const int packed = pixel % 16 / 4 * 16 + pixel / 16 * 4 + pixel % 4;
        from_two[k][i] = static_cast<uint8_t>(channel % 2 * 64 + packed);
        from_last[k][i] = static_cast<uint8_t>(packed);
        if (channel == 2) is_last[k] |= uint64_t{1} << i;
      }
  }
};
constexpr BlockShuffles kBlockShuffles;

// Twice the map, so that its results become whole numbers halves apart, rounded down. A byte in the mantissa of 2^23 is
// that much more; what it is too much is taken away before the product is rounded.
struct BlockMap {
  alignas(64) float factor[3][3][16];
  alignas(64) float too_much[3][3][16];
  alignas(64) float addend[3][16];
  explicit BlockMap(const ColorMap& map) {
    for (int i = 0; i < 16; ++i)
      for (int c = 0; c < 3; ++c) {
        addend[c][i] = 2 * map[c][3];
        for (int k = 0; k < 3; ++k) {
          factor[c][k][i] = 2 * map[c][k];
          too_much[c][k][i] = -2 * map[c][k] * 0x1p23f;
        }
      }
  }
};

template <bool kStreams>
PENSTOCK_AVX512_VNNI inline void map_block(uint8_t* to, const uint8_t* from, const BlockMap& map) {
  const BlockShuffles& shuffles = kBlockShuffles;
  const __m512i biased = _mm512_set1_epi32(0x4b000000);
  __m512 pixel[4][3];
  for (int g = 0; g < 4; ++g) {
    const __m512i sixteen = _mm512_maskz_loadu_epi32(0x0fff, from + 48 * g);
    for (int c = 0; c < 3; ++c)
      pixel[g][c] = _mm512_castsi512_ps(
          _mm512_mask_permutexvar_epi8(biased, 0x1111111111111111, _mm512_load_si512(shuffles.wide[c]), sixteen));
  }
  __m512i made[3];
  for (int c = 0; c < 3; ++c) {
    __m512i whole[4];
    for (int g = 0; g < 4; ++g) {
      __m512 product[3];
      for (int k = 0; k < 3; ++k)
        product[k] = _mm512_fmadd_ps(_mm512_load_ps(map.factor[c][k]), pixel[g][k], _mm512_load_ps(map.too_much[c][k]));
      const __m512 sum = _mm512_add_ps(_mm512_add_ps(_mm512_add_ps(product[0], product[1]), product[2]),
                                       _mm512_load_ps(map.addend[c]));
      whole[g] = _mm512_maskz_cvt_roundps_epi32(0xffff, sum, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
    }
    const __m512i zero = _mm512_setzero_si512();
    const __m512i low = _mm512_avg_epu16(_mm512_packus_epi32(whole[0], whole[1]), zero);
    const __m512i high = _mm512_avg_epu16(_mm512_packus_epi32(whole[2], whole[3]), zero);
    made[c] = _mm512_packus_epi16(low, high);
  }
  for (int k = 0; k < 3; ++k) {
    const __m512i two = _mm512_permutex2var_epi8(made[0], _mm512_load_si512(shuffles.from_two[k]), made[1]);
    const __m512i line =
        _mm512_mask_permutexvar_epi8(two, shuffles.is_last[k], _mm512_load_si512(shuffles.from_last[k]), made[2]);
    if constexpr (kStreams)
      _mm512_stream_si512(reinterpret_cast<__m512i*>(to + 64 * k), line);
    else
      _mm512_storeu_si512(to + 64 * k, line);
  }
}

}  // namespace

PENSTOCK_AVX512_VNNI int64_t map_bytes_vbmi(uint8_t* to, const uint8_t* from, int64_t pixels, const ColorMap& map,
                                            bool past_caches) {
  if (pixels < kBlock) return 0;
  const BlockMap twice(map);
  int64_t i = 0;
  if (past_caches) {
    // Blocks are streamed from the first pixel that begins a line; 43 is a third modulo 64.
    map_block<false>(to, from, twice);
    for (i = -reinterpret_cast<intptr_t>(to) * 43 & 63; i + kBlock <= pixels; i += kBlock) {
      prefetch_row(from + 3 * i + kBytesAhead, 3 * kBlock);
      map_block<true>(to + 3 * i, from + 3 * i, twice);
    }
  } else {
    for (; i + kBlock <= pixels; i += kBlock) {
      for (int k = 0; k < 3; ++k) prefetch_later(from + 3 * i + 64 * k, to + 3 * i + 64 * k);
      map_block<false>(to + 3 * i, from + 3 * i, twice);
    }
  }
  // The last block begins before the one ahead of it ends.
  if (i < pixels) map_block<false>(to + 3 * (pixels - kBlock), from + 3 * (pixels - kBlock), twice);
  return pixels;
}

}  // namespace penstock

#endif
