#include "kernels/color/planar_yuv_avx2.h"

#ifdef PENSTOCK_X86

#include <immintrin.h>

namespace penstock {
namespace {

PENSTOCK_AVX2 inline __m256i load(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }

PENSTOCK_AVX2 inline __m256i pair(int first, int second) {
  return _mm256_set1_epi32(static_cast<int>(static_cast<uint32_t>(second) << 16 | static_cast<uint16_t>(first)));
}

/// Sixteen 32-bit sums, in the order unpacking left them, as bytes.
PENSTOCK_AVX2 inline void store(uint8_t* to, __m256i low, __m256i high) {
  const __m256i words = _mm256_packs_epi32(_mm256_srai_epi32(low, kYuvBits), _mm256_srai_epi32(high, kYuvBits));
  const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packus_epi16(words, words), 0x08);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_castsi256_si128(bytes));
}

}  // namespace

PENSTOCK_AVX2 int64_t mix_rgb_avx2(const YuvRows& rows, int64_t n, const YuvWeights& w) {
  const __m256i for_red = pair(w.luma, w.v_red), for_blue = pair(w.luma, w.u_blue);
  const __m256i for_green = pair(w.u_green, w.v_green), for_luma = pair(w.luma, 0);
  const __m256i offset = _mm256_set1_epi32(w.offset);
  int64_t i = 0;
  for (; i + 16 <= n; i += 16) {
    const __m256i ly = load(rows.y + i), cu = load(rows.u + i), cv = load(rows.v + i);
    const __m256i yv[2] = {_mm256_unpacklo_epi16(ly, cv), _mm256_unpackhi_epi16(ly, cv)};
    const __m256i yu[2] = {_mm256_unpacklo_epi16(ly, cu), _mm256_unpackhi_epi16(ly, cu)};
    const __m256i uv[2] = {_mm256_unpacklo_epi16(cu, cv), _mm256_unpackhi_epi16(cu, cv)};
    __m256i r[2], g[2], b[2];
    for (int k = 0; k < 2; ++k) {
      r[k] = _mm256_add_epi32(_mm256_madd_epi16(yv[k], for_red), offset);
      b[k] = _mm256_add_epi32(_mm256_madd_epi16(yu[k], for_blue), offset);
      const __m256i luma = _mm256_add_epi32(_mm256_madd_epi16(yv[k], for_luma), offset);
      g[k] = _mm256_add_epi32(_mm256_madd_epi16(uv[k], for_green), luma);
    }
    store(rows.mixed + i, r[0], r[1]);
    store(rows.mixed + n + i, g[0], g[1]);
    store(rows.mixed + 2 * n + i, b[0], b[1]);
  }
  return i;
}

}  // namespace penstock

#endif
