#include "cpu/arm_instruction_sets.h"
#include "cpu/instruction_sets.h"
#include "kernels/warp/blend_u8.h"
#include "kernels/warp/sampler.h"

#ifdef PENSTOCK_X86

#include <immintrin.h>

#include <cstring>

namespace penstock {
namespace {

PENSTOCK_AVX2 inline __m256i everywhere(const uint8_t* eight_bytes) {
  return _mm256_castpd_si256(_mm256_broadcast_sd(reinterpret_cast<const double*>(eight_bytes)));
}

PENSTOCK_AVX2 inline __m256i load(const uint32_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

PENSTOCK_AVX2 inline __m256i everywhere(uint32_t word) { return _mm256_set1_epi32(static_cast<int>(word)); }

/// Bytes in groups of four (upper, upper right, lower, lower right) to one 32-bit result each.
PENSTOCK_AVX2 inline __m256i blended(__m256i bytes, __m256i across, __m256i down) {
  const __m256i centred = _mm256_xor_si256(bytes, _mm256_set1_epi8(-128));
  const __m256i rows = _mm256_maddubs_epi16(across, centred);
  const __m256i sum = _mm256_add_epi32(_mm256_madd_epi16(rows, down), _mm256_set1_epi32(kBlendBias));
  return _mm256_srli_epi32(sum, kBlendShift);
}

/// Pixels i and i + 4, one in each half. Loads that fill the register spare the port all shuffles go through.
PENSTOCK_AVX2 inline __m256i two_pixels(const uint8_t* data, int64_t row, const int32_t* offset, BlendWeights weights,
                                        int i, __m256i order) {
  const uint8_t *first = data + offset[i], *second = data + offset[i + 4];
  __m256i bytes = _mm256_blend_epi32(everywhere(first), everywhere(first + row), 0b00001100);
  bytes = _mm256_blend_epi32(bytes, everywhere(second), 0b00110000);
  bytes = _mm256_blend_epi32(bytes, everywhere(second + row), 0b11000000);
  const __m256i across =
      _mm256_blend_epi32(everywhere(weights.across[i]), everywhere(weights.across[i + 4]), 0b11110000);
  const __m256i down = _mm256_blend_epi32(everywhere(weights.down[i]), everywhere(weights.down[i + 4]), 0b11110000);
  return blended(_mm256_shuffle_epi8(bytes, order), across, down);
}

template <int kChannels>
PENSTOCK_AVX2 int blend_colours(uint8_t* out, const uint8_t* data, int64_t row, const int32_t* offset,
                                BlendWeights weights, int n) {
  const __m128i taps = kChannels == 3 ? _mm_setr_epi8(0, 3, 8, 11, 1, 4, 9, 12, 2, 5, 10, 13, -1, -1, -1, -1)
                                      : _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  const __m256i order = _mm256_broadcastsi128_si256(taps);
  const __m256i close_up =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1));
  int i = 0;
  for (; i + 8 <= n; i += 8, out += 8 * kChannels) {
    __m256i pair[4];
    for (int k = 0; k < 4; ++k) pair[k] = two_pixels(data, row, offset, weights, i + k, order);
    const __m256i bytes =
        _mm256_packus_epi16(_mm256_packs_epi32(pair[0], pair[1]), _mm256_packs_epi32(pair[2], pair[3]));
    if constexpr (kChannels == 4) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), bytes);
    } else {
      const __m256i closed = _mm256_shuffle_epi8(bytes, close_up);
      const __m128i high = _mm256_extracti128_si256(closed, 1);
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm256_castsi256_si128(closed));
      _mm_storel_epi64(reinterpret_cast<__m128i*>(out + 12), high);
      const int rest = _mm_extract_epi32(high, 2);
      std::memcpy(out + 20, &rest, 4);
    }
  }
  return i;
}

PENSTOCK_AVX2 int blend_greys(uint8_t* out, const uint8_t* data, int64_t row, const int32_t* offset,
                              BlendWeights weights, int n) {
  uint32_t taps[kSampleBlock];
  for (int i = 0; i < n; ++i) {
    uint16_t rows[2];
    std::memcpy(&rows[0], data + offset[i], 2);
    std::memcpy(&rows[1], data + offset[i] + row, 2);
    taps[i] = rows[0] | static_cast<uint32_t>(rows[1]) << 16;
  }
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m256i values = blended(load(taps + i), load(weights.across + i), load(weights.down + i));
    const __m256i words = _mm256_packs_epi32(values, values);
    const __m256i packed = _mm256_packus_epi16(words, words);
    const int halves[] = {_mm256_extract_epi32(packed, 0), _mm256_extract_epi32(packed, 4)};
    std::memcpy(out + i, halves, 8);
  }
  return i;
}

}  // namespace

BlendRow blend_row(int64_t channels) {
  if (!kHasAvx2) return nullptr;
  return channels == 1 ? blend_greys : channels == 3 ? blend_colours<3> : channels == 4 ? blend_colours<4> : nullptr;
}

}  // namespace penstock

#elif !defined(PENSTOCK_NEON)

namespace penstock {

BlendRow blend_row(int64_t) { return nullptr; }

}  // namespace penstock

#endif
