#include "codecs/jpeg/ycc_to_rgb_x86.h"

#ifdef PENSTOCK_X86
#include <immintrin.h>

#include <array>
#include <cstring>

namespace penstock {
namespace {

constexpr int64_t kPixels = 32;
constexpr int64_t kChannels = 3;

struct Colors {
  __m256i red, green, blue;
};

// libjpeg has 16 bits of fraction. Products of 15 bits round the same for each of the 256 values of a chroma sample,
// which does not hold for green, where two are added before they are rounded.
PENSTOCK_AVX2 inline Colors convert_lanes(__m256i y, __m256i cb, __m256i cr) {
  const __m256i center = _mm256_set1_epi16(128);
  cb = _mm256_sub_epi16(cb, center);
  cr = _mm256_sub_epi16(cr, center);
  const __m256i more_red = _mm256_mulhrs_epi16(cr, _mm256_set1_epi16(13173));        // 1.402 - 1
  const __m256i less_blue = _mm256_mulhrs_epi16(cb, _mm256_set1_epi16(-7471));       // 1.772 - 2
  const __m256i green_factors = _mm256_set1_epi32(18734 << 16 | (-22554 & 0xFFFF));  // -0.34414, 1 - 0.71414
  const __m256i half = _mm256_set1_epi32(1 << 15);
  const __m256i low = _mm256_madd_epi16(_mm256_unpacklo_epi16(cb, cr), green_factors);
  const __m256i high = _mm256_madd_epi16(_mm256_unpackhi_epi16(cb, cr), green_factors);
  const __m256i less_green = _mm256_packs_epi32(_mm256_srai_epi32(_mm256_add_epi32(low, half), 16),
                                                _mm256_srai_epi32(_mm256_add_epi32(high, half), 16));
  return {_mm256_add_epi16(_mm256_add_epi16(y, cr), more_red), _mm256_add_epi16(_mm256_sub_epi16(y, cr), less_green),
          _mm256_add_epi16(_mm256_add_epi16(y, less_blue), _mm256_add_epi16(cb, cb))};
}

PENSTOCK_AVX2 inline Colors convert_bytes(const uint8_t* y, const uint8_t* cb, const uint8_t* cr) {
  const __m256i zero = _mm256_setzero_si256();
  const __m256i ys = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(y));
  const __m256i cbs = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(cb));
  const __m256i crs = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(cr));
  const Colors low =
      convert_lanes(_mm256_unpacklo_epi8(ys, zero), _mm256_unpacklo_epi8(cbs, zero), _mm256_unpacklo_epi8(crs, zero));
  const Colors high =
      convert_lanes(_mm256_unpackhi_epi8(ys, zero), _mm256_unpackhi_epi8(cbs, zero), _mm256_unpackhi_epi8(crs, zero));
  return {_mm256_packus_epi16(low.red, high.red), _mm256_packus_epi16(low.green, high.green),
          _mm256_packus_epi16(low.blue, high.blue)};
}

// Of 16 pixels, channel c of pixel p stands in byte 3 p + c. Modulo 16 that is another place for each p, so one shuffle
// brings a channel's bytes to their places in all three vectors.
constexpr std::array<uint8_t, 16> places_of(int channel) {
  std::array<uint8_t, 16> places{};
  for (int pixel = 0; pixel < 16; ++pixel) places[(3 * pixel + channel) % 16] = static_cast<uint8_t>(pixel);
  return places;
}

/// The bytes of vector `v` that hold `channel`.
constexpr std::array<uint8_t, 16> mask_of(int v, int channel) {
  std::array<uint8_t, 16> mask{};
  for (int i = 0; i < 16; ++i) mask[i] = (16 * v + i) % 3 == channel ? 0xFF : 0;
  return mask;
}

constexpr std::array<std::array<uint8_t, 16>, 3> kPlaces = {places_of(0), places_of(1), places_of(2)};
constexpr std::array<std::array<uint8_t, 16>, 3> kSecond = {mask_of(0, 1), mask_of(1, 1), mask_of(2, 1)};
constexpr std::array<std::array<uint8_t, 16>, 3> kThird = {mask_of(0, 2), mask_of(1, 2), mask_of(2, 2)};

PENSTOCK_AVX2 inline __m256i in_both_lanes(const std::array<uint8_t, 16>& bytes) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes.data())));
}

PENSTOCK_AVX2 inline void store_pixels(uint8_t* out, __m256i first, __m256i second, __m256i third) {
  first = _mm256_shuffle_epi8(first, in_both_lanes(kPlaces[0]));
  second = _mm256_shuffle_epi8(second, in_both_lanes(kPlaces[1]));
  third = _mm256_shuffle_epi8(third, in_both_lanes(kPlaces[2]));
  __m256i mixed[3];
  for (int v = 0; v < 3; ++v)
    mixed[v] = _mm256_blendv_epi8(_mm256_blendv_epi8(first, second, in_both_lanes(kSecond[v])), third,
                                  in_both_lanes(kThird[v]));
  auto* to = reinterpret_cast<__m256i*>(out);
  _mm256_storeu_si256(to, _mm256_permute2x128_si256(mixed[0], mixed[1], 0x20));
  _mm256_storeu_si256(to + 1, _mm256_permute2x128_si256(mixed[2], mixed[0], 0x30));
  _mm256_storeu_si256(to + 2, _mm256_permute2x128_si256(mixed[1], mixed[2], 0x31));
}

}  // namespace

PENSTOCK_AVX2 void ycc_to_rgb(uint8_t* out, const uint8_t* y, const uint8_t* cb, const uint8_t* cr, int64_t pixels,
                              bool bgr) {
  if (kHasAvx512Vnni) return ycc_to_rgb_avx512(out, y, cb, cr, pixels, bgr);
  alignas(32) uint8_t last[kPixels * kChannels];
  for (int64_t k = 0; k < pixels; k += kPixels) {
    const Colors colors = convert_bytes(y + k, cb + k, cr + k);
    const bool whole = k + kPixels <= pixels;
    store_pixels(whole ? out + k * kChannels : last, bgr ? colors.blue : colors.red, colors.green,
                 bgr ? colors.red : colors.blue);
    if (!whole) std::memcpy(out + k * kChannels, last, (pixels - k) * kChannels);
  }
}

}  // namespace penstock
#endif
