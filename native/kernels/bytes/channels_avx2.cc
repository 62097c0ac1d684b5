#include "kernels/bytes/channels_avx2.h"

#ifdef PENSTOCK_X86

#include <immintrin.h>

#include "cpu/prefetch.h"

namespace penstock {
namespace {

// Where the bytes of 16 RGB pixels, three blocks of 16, go: split[c][b] picks plane c from block b, join[b][c] the
// other way round.
struct RgbShuffles {
  alignas(16) int8_t split[3][3][16];
  alignas(16) int8_t join[3][3][16];
  constexpr RgbShuffles() : split(), join() {
    for (int c = 0; c < 3; ++c)
      for (int b = 0; b < 3; ++b)
        for (int i = 0; i < 16; ++i) {
          const int at = 3 * i + c - 16 * b;
          split[c][b][i] = at >= 0 && at < 16 ? static_cast<int8_t>(at) : int8_t{-1};
          join[b][c][i] = (16 * b + i) % 3 == c ? static_cast<int8_t>((16 * b + i) / 3) : int8_t{-1};
        }
  }
};
constexpr RgbShuffles kRgb;

PENSTOCK_AVX2 inline __m128i load(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }

/// The bytes of three blocks where the shuffles put them.
PENSTOCK_AVX2 inline __m128i merged(const __m128i (&block)[3], const __m128i (&shuffle)[3]) {
  const __m128i two = _mm_or_si128(_mm_shuffle_epi8(block[0], shuffle[0]), _mm_shuffle_epi8(block[1], shuffle[1]));
  return _mm_or_si128(two, _mm_shuffle_epi8(block[2], shuffle[2]));
}

PENSTOCK_AVX2 inline void load_shuffles(__m128i (&to)[3][3], const int8_t (&from)[3][3][16]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) to[i][j] = load(from[i][j]);
}

}  // namespace

PENSTOCK_AVX2 int64_t split_rgb_avx2(std::byte* out, int64_t plane, const std::byte* in, int64_t n) {
  __m128i shuffle[3][3];
  load_shuffles(shuffle, kRgb.split);
  int64_t i = 0;
  for (; i + 16 <= n; i += 16) {
    const std::byte* at = in + 3 * i;
    const __m128i block[3] = {load(at), load(at + 16), load(at + 32)};
    for (int c = 0; c < 3; ++c)
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out + c * plane + i), merged(block, shuffle[c]));
  }
  return i;
}

PENSTOCK_AVX2 int64_t join_rgb_avx2(std::byte* out, const std::byte* in, int64_t plane, int64_t n) {
  __m128i shuffle[3][3];
  load_shuffles(shuffle, kRgb.join);
  int64_t i = 0;
  for (; i + 16 <= n; i += 16) {
    prefetch_later(in + i, out + 3 * i);
    const __m128i row[3] = {load(in + i), load(in + plane + i), load(in + 2 * plane + i)};
    for (int b = 0; b < 3; ++b)
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 3 * i + 16 * b), merged(row, shuffle[b]));
  }
  return i;
}

}  // namespace penstock

#endif
