#include "kernels/image/normalize_rgb_x86.h"

#ifdef PENSTOCK_X86

#include <immintrin.h>

#include <algorithm>

namespace penstock {
namespace {

constexpr int64_t kLanes = kAvx2RgbLanes;

// Picks a channel of 8 pixels, each byte as the lowest of four. A half of the vector has 16 bytes: those from 0 on for
// the pixels on the left, those from 8 on for the ones on the right, where the first of them is at 4.
struct RgbLanes {
  alignas(32) int8_t of[2][3][32];  // [mirrored][channel]
  constexpr RgbLanes() : of() {
    for (int mirrored = 0; mirrored < 2; ++mirrored)
      for (int c = 0; c < 3; ++c)
        for (int i = 0; i < 32; ++i) {
          const int lane = i / 4, pixel = mirrored ? 7 - lane : lane;
          const int at = pixel < 4 ? 3 * pixel + c : 4 + 3 * (pixel - 4) + c;
          of[mirrored][c][i] = i % 4 ? int8_t{-1} : static_cast<int8_t>(at);
        }
  }
};
constexpr RgbLanes kShuffles;

PENSTOCK_AVX2 inline __m128i half(const std::byte* from) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}

}  // namespace

PENSTOCK_AVX2 void normalize_rgb_avx2(float* out, int64_t plane, const RgbRows& rows, const float* mean,
                                      const float* inverse) {
  __m256i shuffle[3];
  __m256 means[3], inverses[3];
  for (int c = 0; c < 3; ++c) {
    shuffle[c] = _mm256_load_si256(reinterpret_cast<const __m256i*>(kShuffles.of[rows.mirrored][c]));
    means[c] = _mm256_set1_ps(mean[c]);
    inverses[c] = _mm256_set1_ps(inverse[c]);
  }
  const int64_t width = rows.width, left = rows.mirrored ? 8 : 0;
  const std::byte* row = rows.first;
  for (int64_t y = 0; y < rows.count; ++y, row += rows.stride, out += width) {
    for (int64_t done = 0; done < width; done += kLanes) {
      const int64_t x = std::min(done, width - kLanes);  // the last vector of a row overlaps the one before
      const std::byte* at = row + 3 * (rows.mirrored ? width - kLanes - x : x);
      const __m256i pixels = _mm256_inserti128_si256(_mm256_castsi128_si256(half(at + left)), half(at + 8 - left), 1);
      for (int c = 0; c < 3; ++c) {
        const __m256 value = _mm256_cvtepi32_ps(_mm256_shuffle_epi8(pixels, shuffle[c]));
        _mm256_storeu_ps(out + c * plane + x, _mm256_mul_ps(_mm256_sub_ps(value, means[c]), inverses[c]));
      }
    }
  }
}

}  // namespace penstock

#endif
