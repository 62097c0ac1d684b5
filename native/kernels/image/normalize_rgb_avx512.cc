#include "kernels/image/normalize_rgb_x86.h"

#ifdef PENSTOCK_X86

#include <immintrin.h>

#include <algorithm>

namespace penstock {
namespace {

constexpr int64_t kLanes = kAvx512RgbLanes;
constexpr __mmask64 kPixelBytes = (1ULL << 3 * kLanes) - 1;

// The 12 bytes of four pixels are moved to each quarter of the vector, and a channel is picked there, each byte as the
// lowest of four.
struct RgbQuarters {
  alignas(64) int32_t words[2][16];  // [mirrored]
  alignas(64) int8_t of[2][3][64];   // [mirrored][channel]
  constexpr RgbQuarters() : words(), of() {
    for (int mirrored = 0; mirrored < 2; ++mirrored) {
      for (int i = 0; i < 16; ++i) words[mirrored][i] = 3 * (mirrored ? 3 - i / 4 : i / 4) + std::min(i % 4, 2);
      for (int c = 0; c < 3; ++c)
        for (int i = 0; i < 64; ++i) {
          const int lane = i / 4 % 4, pixel = mirrored ? 3 - lane : lane;
          of[mirrored][c][i] = i % 4 ? int8_t{-1} : static_cast<int8_t>(3 * pixel + c);
        }
    }
  }
};
constexpr RgbQuarters kQuarters;

}  // namespace

PENSTOCK_AVX512 void normalize_rgb_avx512(float* out, int64_t plane, const RgbRows& rows, const float* mean,
                                          const float* inverse) {
  const __m512i words = _mm512_load_si512(kQuarters.words[rows.mirrored]);
  __m512i shuffle[3];
  __m512 means[3], inverses[3];
  for (int c = 0; c < 3; ++c) {
    shuffle[c] = _mm512_load_si512(kQuarters.of[rows.mirrored][c]);
    means[c] = _mm512_set1_ps(mean[c]);
    inverses[c] = _mm512_set1_ps(inverse[c]);
  }
  const int64_t width = rows.width;
  const std::byte* row = rows.first;
  for (int64_t y = 0; y < rows.count; ++y, row += rows.stride, out += width) {
    for (int64_t done = 0; done < width; done += kLanes) {
      const int64_t x = std::min(done, width - kLanes);  // the last vector of a row overlaps the one before
      const std::byte* at = row + 3 * (rows.mirrored ? width - kLanes - x : x);
      const __m512i pixels = _mm512_permutexvar_epi32(words, _mm512_maskz_loadu_epi8(kPixelBytes, at));
      for (int c = 0; c < 3; ++c) {
        const __m512 value = _mm512_cvtepi32_ps(_mm512_shuffle_epi8(pixels, shuffle[c]));
        _mm512_storeu_ps(out + c * plane + x, _mm512_mul_ps(_mm512_sub_ps(value, means[c]), inverses[c]));
      }
    }
  }
}

}  // namespace penstock

#endif
