#include "kernels/color/linear_map.h"

#include <cmath>

#include "cpu/prefetch.h"
#include "cpu/vectorize.h"
#include "kernels/elements/float_blocks.h"

#ifdef PENSTOCK_X86
#include <immintrin.h>
#endif

namespace penstock {
namespace {

#ifdef PENSTOCK_X86
/// Results must fit in 32 bits before they are saturated.
PENSTOCK_AVX2 int64_t on_bytes(uint8_t* to, const uint8_t* from, int64_t n, float factor, float addend) {
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
#endif

}  // namespace

void linear(View out, ConstView in, float factor, float addend) {
  const int64_t n = in.shape.volume();
  int64_t done = 0;
#ifdef PENSTOCK_X86
  const bool fits = 255 * std::abs(factor) + std::abs(addend) < 1e9f;
  if (in.dtype == DType::u8 && out.dtype == DType::u8 && fits && kHasAvx2)
    done = on_bytes(out.as<uint8_t>(), in.as<uint8_t>(), n, factor, addend);
#endif
  in_float_blocks(out, in, done, [=](float* to, const float* from, int64_t count) {
    run_wide([=]() PENSTOCK_INLINE {
      for (int64_t i = 0; i < count; ++i) to[i] = from[i] * factor + addend;
    });
  });
}

}  // namespace penstock
