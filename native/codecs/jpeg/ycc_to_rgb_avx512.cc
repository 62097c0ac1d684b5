#include "codecs/jpeg/ycc_to_rgb_x86.h"

#ifdef PENSTOCK_X86
#include <immintrin.h>

#include <array>
#include <cstring>

namespace penstock {
namespace {

constexpr int64_t kPixels = 64;
constexpr int64_t kChannels = 3;

struct Colors {
  __m512i red, green, blue;
};

// The arithmetic of the form for AVX2.
PENSTOCK_AVX512_VNNI inline Colors convert_lanes(__m512i y, __m512i cb, __m512i cr) {
  const __m512i center = _mm512_set1_epi16(128);
  cb = _mm512_sub_epi16(cb, center);
  cr = _mm512_sub_epi16(cr, center);
  const __m512i more_red = _mm512_mulhrs_epi16(cr, _mm512_set1_epi16(13173));
  const __m512i less_blue = _mm512_mulhrs_epi16(cb, _mm512_set1_epi16(-7471));
  const __m512i green_factors = _mm512_set1_epi32(18734 << 16 | (-22554 & 0xFFFF));
  const __m512i half = _mm512_set1_epi32(1 << 15);
  const __m512i low = _mm512_dpwssd_epi32(half, _mm512_unpacklo_epi16(cb, cr), green_factors);
  const __m512i high = _mm512_dpwssd_epi32(half, _mm512_unpackhi_epi16(cb, cr), green_factors);
  const __m512i less_green = _mm512_packs_epi32(_mm512_srai_epi32(low, 16), _mm512_srai_epi32(high, 16));
  return {_mm512_add_epi16(_mm512_add_epi16(y, cr), more_red), _mm512_add_epi16(_mm512_sub_epi16(y, cr), less_green),
          _mm512_add_epi16(_mm512_add_epi16(y, less_blue), _mm512_add_epi16(cb, cb))};
}

PENSTOCK_AVX512_VNNI inline Colors convert_bytes(const uint8_t* y, const uint8_t* cb, const uint8_t* cr) {
  const __m512i zero = _mm512_setzero_si512();
  const __m512i ys = _mm512_loadu_si512(y), cbs = _mm512_loadu_si512(cb), crs = _mm512_loadu_si512(cr);
  const Colors low =
      convert_lanes(_mm512_unpacklo_epi8(ys, zero), _mm512_unpacklo_epi8(cbs, zero), _mm512_unpacklo_epi8(crs, zero));
  const Colors high =
      convert_lanes(_mm512_unpackhi_epi8(ys, zero), _mm512_unpackhi_epi8(cbs, zero), _mm512_unpackhi_epi8(crs, zero));
  return {_mm512_packus_epi16(low.red, high.red), _mm512_packus_epi16(low.green, high.green),
          _mm512_packus_epi16(low.blue, high.blue)};
}

/// Where the bytes of a vector of pixels come from: pixels of the first channel, and 64 later those of the second.
constexpr std::array<uint8_t, 64> first_two(int vector) {
  std::array<uint8_t, 64> from{};
  for (int i = 0; i < 64; ++i) {
    const int byte = 64 * vector + i;
    from[i] = static_cast<uint8_t>(byte / 3 + (byte % 3 == 1 ? 64 : 0));
  }
  return from;
}

/// The bytes of the third channel.
constexpr uint64_t third(int vector) {
  uint64_t mask = 0;
  for (int i = 0; i < 64; ++i) mask |= static_cast<uint64_t>((64 * vector + i) % 3 == 2) << i;
  return mask;
}

constexpr std::array<std::array<uint8_t, 64>, 3> kFrom = {first_two(0), first_two(1), first_two(2)};

template <int kVector>
PENSTOCK_AVX512_VNNI inline void store_vector(uint8_t* out, __m512i first, __m512i second, __m512i last) {
  const __m512i from = _mm512_loadu_si512(kFrom[kVector].data());
  const __m512i two = _mm512_permutex2var_epi8(first, from, second);
  _mm512_storeu_si512(out + 64 * kVector, _mm512_mask_permutexvar_epi8(two, third(kVector), from, last));
}

}  // namespace

PENSTOCK_AVX512_VNNI void ycc_to_rgb_avx512(uint8_t* out, const uint8_t* y, const uint8_t* cb, const uint8_t* cr,
                                            int64_t pixels, bool bgr) {
  alignas(64) uint8_t last[kPixels * kChannels];
  for (int64_t k = 0; k < pixels; k += kPixels) {
    const Colors colors = convert_bytes(y + k, cb + k, cr + k);
    const bool whole = k + kPixels <= pixels;
    const __m512i first = bgr ? colors.blue : colors.red, third = bgr ? colors.red : colors.blue;
    uint8_t* to = whole ? out + k * kChannels : last;
    store_vector<0>(to, first, colors.green, third);
    store_vector<1>(to, first, colors.green, third);
    store_vector<2>(to, first, colors.green, third);
    if (!whole) std::memcpy(out + k * kChannels, last, (pixels - k) * kChannels);
  }
}

}  // namespace penstock
#endif
