#include "codecs/jpeg/reduced_idct.h"

#ifdef PENSTOCK_X86
#include <immintrin.h>

#include <cstring>

namespace penstock {
namespace {

// In fractions of 13 bits, of which the first pass keeps two.
constexpr int kReducedFraction = 13, kReducedKept = 2;
constexpr int16_t k0_720 = 5906, k0_850 = 6967, k1_272 = 10426, k3_624 = 29692;

/// Row y of two blocks, one in each half of the register.
PENSTOCK_AVX2 inline __m256i scaled_rows(const InverseDct& a, const InverseDct& b, int y) {
  const auto row = [y](const auto* values)
                       PENSTOCK_AVX2 { return _mm_load_si128(reinterpret_cast<const __m128i*>(values) + y); };
  return _mm256_mullo_epi16(_mm256_set_m128i(row(b.coefficients), row(a.coefficients)),
                            _mm256_set_m128i(row(b.factors), row(a.factors)));
}

/// a * x + b * y of values interleaved as x, y.
template <int16_t a, int16_t b>
PENSTOCK_AVX2 inline __m256i weighted(__m256i xy) {
  return _mm256_madd_epi16(
      xy, _mm256_set1_epi32(static_cast<int>(static_cast<uint32_t>(b) << 16 | static_cast<uint16_t>(a))));
}

template <int kDropped>
PENSTOCK_AVX2 inline __m256i rounded_shift(__m256i x) {
  return _mm256_srai_epi32(_mm256_add_epi32(x, _mm256_set1_epi32(1 << (kDropped - 1))), kDropped);
}

/// The columns of two rows, of which odd ones are added to the first and taken from the second.
struct TwoRows {
  __m256i upper, lower;

  template <int kDropped>
  PENSTOCK_AVX2 static TwoRows make(__m256i even, __m256i odd) {
    return {rounded_shift<kDropped>(_mm256_add_epi32(even, odd)), rounded_shift<kDropped>(_mm256_sub_epi32(even, odd))};
  }
};

PENSTOCK_AVX2 inline void clear(const InverseDct& block) {
  auto* const rows = reinterpret_cast<__m256i*>(block.coefficients);
  for (int i = 0; i < 4; ++i) _mm256_store_si256(rows + i, _mm256_setzero_si256());
}

PENSTOCK_AVX2 inline void store(const InverseDct& block, __m128i bytes) {
  const uint32_t samples = static_cast<uint32_t>(_mm_cvtsi128_si32(bytes)) ^ 0x80808080u;
  const auto first = static_cast<uint16_t>(samples), second = static_cast<uint16_t>(samples >> 16);
  std::memcpy(block.samples, &first, sizeof first);
  std::memcpy(block.samples + block.stride, &second, sizeof second);
}

PENSTOCK_AVX2 inline void transform_pair(const InverseDct& a, const InverseDct& b) {
  const __m256i row0 = scaled_rows(a, b, 0), row1 = scaled_rows(a, b, 1), row3 = scaled_rows(a, b, 3);
  const __m256i row5 = scaled_rows(a, b, 5), row7 = scaled_rows(a, b, 7);
  clear(a);
  clear(b);

  constexpr int kFirstDropped = kReducedFraction - kReducedKept + 2;
  const __m256i zero = _mm256_setzero_si256();
  const auto columns = [&](__m256i from0, __m256i from13, __m256i from57) PENSTOCK_AVX2 {
    const __m256i odd = _mm256_add_epi32(weighted<k3_624, -k1_272>(from13), weighted<k0_850, -k0_720>(from57));
    return TwoRows::make<kFirstDropped>(_mm256_srai_epi32(from0, 16 - kReducedFraction - 2), odd);
  };
  const TwoRows left =
      columns(_mm256_unpacklo_epi16(zero, row0), _mm256_unpacklo_epi16(row1, row3), _mm256_unpacklo_epi16(row5, row7));
  const TwoRows right =
      columns(_mm256_unpackhi_epi16(zero, row0), _mm256_unpackhi_epi16(row1, row3), _mm256_unpackhi_epi16(row5, row7));

  // Columns 2, 4 and 6 cancel out. Column 0 stays in 32 bits.
  const __m256i weights = _mm256_broadcastsi128_si256(_mm_setr_epi16(0, k3_624, 0, -k1_272, 0, k0_850, 0, -k0_720));
  const __m256i upper = _mm256_madd_epi16(_mm256_packs_epi32(left.upper, right.upper), weights);
  const __m256i lower = _mm256_madd_epi16(_mm256_packs_epi32(left.lower, right.lower), weights);
  const __m256i sums = _mm256_hadd_epi32(upper, lower);
  const __m256i even = _mm256_slli_epi32(_mm256_unpacklo_epi32(left.upper, left.lower), kReducedFraction + 2);
  const auto samples = TwoRows::make<kReducedFraction + kReducedKept + 3 + 2>(even, _mm256_hadd_epi32(sums, sums));
  const __m256i words = _mm256_packs_epi32(_mm256_unpacklo_epi32(samples.upper, samples.lower), zero);
  const __m256i bytes = _mm256_packs_epi16(words, zero);
  store(a, _mm256_castsi256_si128(bytes));
  store(b, _mm256_extracti128_si256(bytes, 1));
}

}  // namespace

PENSTOCK_AVX2 void inverse_dct_2x2(const InverseDct* blocks, int count) {
  for (int i = 0; i < count; i += 2) transform_pair(blocks[i], blocks[i + (i + 1 < count)]);
}

}  // namespace penstock
#endif
