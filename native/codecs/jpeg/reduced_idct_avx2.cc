#include "codecs/jpeg/reduced_idct.h"

#ifdef PENSTOCK_X86
#include <immintrin.h>

#include <cstring>

namespace penstock {
namespace {

// In fractions of 13 bits, of which the first pass keeps two.
constexpr int kReducedFraction = 13, kReducedKept = 2;
constexpr int16_t k0_720 = 5906, k0_850 = 6967, k1_272 = 10426, k3_624 = 29692;

PENSTOCK_AVX2 inline __m128i scaled_row(const InverseDct& block, int y) {
  return _mm_mullo_epi16(_mm_load_si128(reinterpret_cast<const __m128i*>(block.coefficients) + y),
                         _mm_load_si128(reinterpret_cast<const __m128i*>(block.factors) + y));
}

/// a * x + b * y of values interleaved as x, y.
template <int16_t a, int16_t b>
PENSTOCK_AVX2 inline __m128i weighted(__m128i xy) {
  return _mm_madd_epi16(xy, _mm_setr_epi16(a, b, a, b, a, b, a, b));
}

template <int kDropped>
PENSTOCK_AVX2 inline __m128i rounded(__m128i x) {
  return _mm_srai_epi32(_mm_add_epi32(x, _mm_set1_epi32(1 << (kDropped - 1))), kDropped);
}

/// The columns of two rows, of which odd ones are added to the first and taken from the second.
struct TwoRows {
  __m128i upper, lower;

  template <int kDropped>
  PENSTOCK_AVX2 static TwoRows make(__m128i even, __m128i odd) {
    return {rounded<kDropped>(_mm_add_epi32(even, odd)), rounded<kDropped>(_mm_sub_epi32(even, odd))};
  }
};

}  // namespace

PENSTOCK_AVX2 void inverse_dct_2x2(const InverseDct& block) {
  const __m128i row0 = scaled_row(block, 0), row1 = scaled_row(block, 1), row3 = scaled_row(block, 3);
  const __m128i row5 = scaled_row(block, 5), row7 = scaled_row(block, 7);
  auto* const coefficients = reinterpret_cast<__m256i*>(block.coefficients);
  for (int i = 0; i < 4; ++i) _mm256_store_si256(coefficients + i, _mm256_setzero_si256());

  constexpr int kFirstDropped = kReducedFraction - kReducedKept + 2;
  const __m128i zero = _mm_setzero_si128();
  const auto columns = [&](__m128i from0, __m128i from13, __m128i from57) PENSTOCK_AVX2 {
    const __m128i odd = _mm_add_epi32(weighted<k3_624, -k1_272>(from13), weighted<k0_850, -k0_720>(from57));
    return TwoRows::make<kFirstDropped>(_mm_srai_epi32(from0, 16 - kReducedFraction - 2), odd);
  };
  const TwoRows left =
      columns(_mm_unpacklo_epi16(zero, row0), _mm_unpacklo_epi16(row1, row3), _mm_unpacklo_epi16(row5, row7));
  const TwoRows right =
      columns(_mm_unpackhi_epi16(zero, row0), _mm_unpackhi_epi16(row1, row3), _mm_unpackhi_epi16(row5, row7));

  // Columns 2, 4 and 6 cancel out. Column 0 stays in 32 bits.
  const __m128i weights = _mm_setr_epi16(0, k3_624, 0, -k1_272, 0, k0_850, 0, -k0_720);
  const __m128i upper = _mm_madd_epi16(_mm_packs_epi32(left.upper, right.upper), weights);
  const __m128i lower = _mm_madd_epi16(_mm_packs_epi32(left.lower, right.lower), weights);
  const __m128i sums = _mm_hadd_epi32(upper, lower);
  const __m128i even = _mm_slli_epi32(_mm_unpacklo_epi32(left.upper, left.lower), kReducedFraction + 2);
  const auto samples = TwoRows::make<kReducedFraction + kReducedKept + 3 + 2>(even, _mm_hadd_epi32(sums, sums));
  const __m128i words = _mm_packs_epi32(_mm_unpacklo_epi32(samples.upper, samples.lower), zero);
  const auto bytes = static_cast<uint32_t>(_mm_cvtsi128_si32(_mm_packs_epi16(words, zero))) ^ 0x80808080u;
  const auto first = static_cast<uint16_t>(bytes), second = static_cast<uint16_t>(bytes >> 16);
  std::memcpy(block.samples, &first, sizeof first);
  std::memcpy(block.samples + block.stride, &second, sizeof second);
}

}  // namespace penstock
#endif
