#include "kernels/color/color_space.h"

#include <algorithm>

#include "cpu/prefetch.h"
#include "cpu/vectorize.h"
#include "kernels/bytes/channels.h"
#include "kernels/color/linear_map.h"

#ifdef PENSTOCK_X86
#include <immintrin.h>
#endif

namespace penstock {
namespace {

constexpr int64_t kBlock = 1024;
constexpr int kRed = 9798, kGreen = 19235, kBlue = 3735, kLumaBits = 15;
constexpr float kHeadroom = 219.0f / 255, kFootroom = 16;

#ifdef PENSTOCK_X86
PENSTOCK_AVX2 inline __m128i load(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }
PENSTOCK_AVX2 inline void store(void* to, __m128i bytes) { _mm_storeu_si128(static_cast<__m128i*>(to), bytes); }

// Five pixels and a byte at a time; that byte is written as it was, and again with the next five.
PENSTOCK_AVX2 int64_t swap_wide(uint8_t* out, const uint8_t* in, int64_t pixels) {
  const __m128i swapped = _mm_setr_epi8(2, 1, 0, 5, 4, 3, 8, 7, 6, 11, 10, 9, 14, 13, 12, 15);
  int64_t i = 0;
  for (; i + 21 <= pixels; i += 20) {
    prefetch_later(in + 3 * i, out + 3 * i);
    for (int64_t k = 3 * i; k < 3 * (i + 20); k += 15) store(out + k, _mm_shuffle_epi8(load(in + k), swapped));
  }
  return i;
}

/// The luma of four pixels, 12 bytes of the 16 given, as 32-bit numbers.
PENSTOCK_AVX2 inline __m128i luma(__m128i pixels, __m128i first_two, __m128i third) {
  const __m128i pair = _mm_shuffle_epi8(pixels, _mm_setr_epi8(0, -1, 1, -1, 3, -1, 4, -1, 6, -1, 7, -1, 9, -1, 10, -1));
  const __m128i last =
      _mm_shuffle_epi8(pixels, _mm_setr_epi8(2, -1, -1, -1, 5, -1, -1, -1, 8, -1, -1, -1, 11, -1, -1, -1));
  const __m128i sum = _mm_add_epi32(_mm_madd_epi16(pair, first_two), _mm_madd_epi16(last, third));
  return _mm_srli_epi32(_mm_add_epi32(sum, _mm_set1_epi32(1 << (kLumaBits - 1))), kLumaBits);
}

PENSTOCK_AVX2 int64_t gray_wide(uint8_t* gray, const uint8_t* color, int64_t pixels, int first, int third) {
  const __m128i pair = _mm_set1_epi32(kGreen << 16 | first), last = _mm_set1_epi32(third);
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
PENSTOCK_AVX2 int64_t spread_wide(uint8_t* color, const uint8_t* gray, int64_t pixels, int channels, uint8_t fill) {
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
#endif

/// Grey into the first `channels` of three, `fill` into the others.
void spread(uint8_t* color, const uint8_t* gray, int64_t pixels, int channels, uint8_t fill) {
  int64_t i = 0;
#ifdef PENSTOCK_X86
  if (kHasAvx2) i = spread_wide(color, gray, pixels, channels, fill);
#endif
  for (; i < pixels; ++i)
    for (int c = 0; c < 3; ++c) color[3 * i + c] = c < channels ? gray[i] : fill;
}

void linear_bytes(uint8_t* out, const uint8_t* in, int64_t n, float factor, float addend) {
  const Shape shape{1, {n}};
  linear({reinterpret_cast<std::byte*>(out), DType::u8, shape},
         {reinterpret_cast<const std::byte*>(in), DType::u8, shape}, factor, addend);
}

}  // namespace

void swap_red_and_blue(uint8_t* out, const uint8_t* in, int64_t pixels) {
  int64_t i = 0;
#ifdef PENSTOCK_X86
  if (kHasAvx2) i = swap_wide(out, in, pixels);
#endif
  for (i *= 3; i < 3 * pixels; i += 3) {
    const uint8_t red = in[i], green = in[i + 1], blue = in[i + 2];
    out[i] = blue;
    out[i + 1] = green;
    out[i + 2] = red;
  }
}

void color_to_gray(uint8_t* gray, const uint8_t* color, int64_t pixels, bool bgr) {
  const int first = bgr ? kBlue : kRed, third = bgr ? kRed : kBlue;
  int64_t i = 0;
#ifdef PENSTOCK_X86
  if (kHasAvx2) i = gray_wide(gray, color, pixels, first, third);
#endif
  for (; i < pixels; ++i) {
    const uint8_t* pixel = color + 3 * i;
    const int sum = first * pixel[0] + kGreen * pixel[1] + third * pixel[2];
    gray[i] = static_cast<uint8_t>((sum + (1 << (kLumaBits - 1))) >> kLumaBits);
  }
}

void gray_to_color(uint8_t* color, const uint8_t* gray, int64_t pixels) { spread(color, gray, pixels, 3, 0); }

void gray_to_ycbcr(uint8_t* ycbcr, const uint8_t* gray, int64_t pixels) {
  uint8_t luma[kBlock];
  for (int64_t i = 0; i < pixels; i += kBlock) {
    const int64_t count = std::min(kBlock, pixels - i);
    linear_bytes(luma, gray + i, count, kHeadroom, kFootroom);
    spread(ycbcr + 3 * i, luma, count, 1, 128);
  }
}

void ycbcr_to_gray(uint8_t* gray, const uint8_t* ycbcr, int64_t pixels) {
  std::byte planes[3 * kBlock];
  for (int64_t i = 0; i < pixels; i += kBlock) {
    const int64_t count = std::min(kBlock, pixels - i);
    split_channels(planes, kBlock, reinterpret_cast<const std::byte*>(ycbcr + 3 * i), count, 3, 1);
    linear_bytes(gray + i, reinterpret_cast<const uint8_t*>(planes), count, 1 / kHeadroom, -kFootroom / kHeadroom);
  }
}

}  // namespace penstock
