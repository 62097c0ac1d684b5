#include "codecs/jpeg/idct.h"

#ifdef PENSTOCK_X86
#include <immintrin.h>

#include <algorithm>

#include "codecs/jpeg/idct_cosines.h"

namespace penstock {
namespace {

/// A register of 32-bit sums has eight lanes; a row of two blocks takes two.
struct Wide {
  __m256i low, high;
};

PENSTOCK_AVX2 inline Wide operator+(const Wide& a, const Wide& b) {
  return {_mm256_add_epi32(a.low, b.low), _mm256_add_epi32(a.high, b.high)};
}
PENSTOCK_AVX2 inline Wide operator-(const Wide& a, const Wide& b) {
  return {_mm256_sub_epi32(a.low, b.low), _mm256_sub_epi32(a.high, b.high)};
}

PENSTOCK_AVX2 inline Wide interleave(__m256i a, __m256i b) {
  return {_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)};
}

/// a * x + b * y of values interleaved as x, y.
template <int16_t a, int16_t b>
PENSTOCK_AVX2 inline __m256i rotate(__m256i xy) {
  return _mm256_madd_epi16(
      xy, _mm256_set1_epi32(static_cast<int>(static_cast<uint32_t>(b) << 16 | static_cast<uint16_t>(a))));
}
template <int16_t a, int16_t b>
PENSTOCK_AVX2 inline Wide rotate(const Wide& xy) {
  return {rotate<a, b>(xy.low), rotate<a, b>(xy.high)};
}

/// `x` as a fraction, with what rounds a result that drops `kDropped` bits.
template <int kDropped>
PENSTOCK_AVX2 inline Wide widen(__m256i x) {
  const Wide top = interleave(_mm256_setzero_si256(), x);
  const __m256i half = _mm256_set1_epi32(1 << (kDropped - 1));
  return {_mm256_add_epi32(_mm256_srai_epi32(top.low, 16 - kFraction), half),
          _mm256_add_epi32(_mm256_srai_epi32(top.high, 16 - kFraction), half)};
}

template <int kDropped>
PENSTOCK_AVX2 inline __m256i narrow(const Wide& x) {
  return _mm256_packs_epi32(_mm256_srai_epi32(x.low, kDropped), _mm256_srai_epi32(x.high, kDropped));
}

// Sums of 16 bits wrap and results saturate where libjpeg's vector code has them wrap and saturate: damaged files have
// values for which it shows.
template <int kDropped>
PENSTOCK_AVX2 inline void transform(__m256i (&row)[8]) {
  const Wide even26 = interleave(row[2], row[6]);
  const Wide even3 = rotate<k0_541 + k0_765, k0_541>(even26);
  const Wide even2 = rotate<k0_541, k0_541 - k1_847>(even26);
  const Wide even0 = widen<kDropped>(_mm256_add_epi16(row[0], row[4]));
  const Wide even1 = widen<kDropped>(_mm256_sub_epi16(row[0], row[4]));
  const Wide sum0 = even0 + even3, sum3 = even0 - even3, sum1 = even1 + even2, sum2 = even1 - even2;

  const Wide z = interleave(_mm256_add_epi16(row[7], row[3]), _mm256_add_epi16(row[5], row[1]));
  const Wide z3 = rotate<k1_175 - k1_961, k1_175>(z);
  const Wide z4 = rotate<k1_175, k1_175 - k0_390>(z);
  const Wide odd71 = interleave(row[7], row[1]), odd53 = interleave(row[5], row[3]);
  const Wide odd0 = rotate<k0_298 - k0_899, -k0_899>(odd71) + z3;
  const Wide odd3 = rotate<-k0_899, k1_501 - k0_899>(odd71) + z4;
  const Wide odd1 = rotate<k2_053 - k2_562, -k2_562>(odd53) + z4;
  const Wide odd2 = rotate<-k2_562, k3_072 - k2_562>(odd53) + z3;

  row[0] = narrow<kDropped>(sum0 + odd3);
  row[7] = narrow<kDropped>(sum0 - odd3);
  row[1] = narrow<kDropped>(sum1 + odd2);
  row[6] = narrow<kDropped>(sum1 - odd2);
  row[2] = narrow<kDropped>(sum2 + odd1);
  row[5] = narrow<kDropped>(sum2 - odd1);
  row[3] = narrow<kDropped>(sum3 + odd0);
  row[4] = narrow<kDropped>(sum3 - odd0);
}

PENSTOCK_AVX2 inline void transpose(__m256i (&row)[8]) {
  const Wide a = interleave(row[0], row[1]), b = interleave(row[2], row[3]);
  const Wide c = interleave(row[4], row[5]), d = interleave(row[6], row[7]);
  const __m256i ab0 = _mm256_unpacklo_epi32(a.low, b.low), ab1 = _mm256_unpackhi_epi32(a.low, b.low);
  const __m256i ab2 = _mm256_unpacklo_epi32(a.high, b.high), ab3 = _mm256_unpackhi_epi32(a.high, b.high);
  const __m256i cd0 = _mm256_unpacklo_epi32(c.low, d.low), cd1 = _mm256_unpackhi_epi32(c.low, d.low);
  const __m256i cd2 = _mm256_unpacklo_epi32(c.high, d.high), cd3 = _mm256_unpackhi_epi32(c.high, d.high);
  row[0] = _mm256_unpacklo_epi64(ab0, cd0);
  row[1] = _mm256_unpackhi_epi64(ab0, cd0);
  row[2] = _mm256_unpacklo_epi64(ab1, cd1);
  row[3] = _mm256_unpackhi_epi64(ab1, cd1);
  row[4] = _mm256_unpacklo_epi64(ab2, cd2);
  row[5] = _mm256_unpackhi_epi64(ab2, cd2);
  row[6] = _mm256_unpacklo_epi64(ab3, cd3);
  row[7] = _mm256_unpackhi_epi64(ab3, cd3);
}

/// Two rows of a block, multiplied by the quantisation's factors.
PENSTOCK_AVX2 inline __m256i scaled_rows(const InverseDct& block, int pair) {
  return _mm256_mullo_epi16(_mm256_load_si256(reinterpret_cast<const __m256i*>(block.coefficients) + pair),
                            _mm256_load_si256(reinterpret_cast<const __m256i*>(block.factors) + pair));
}

template <int kPairs>
PENSTOCK_AVX2 inline void clear(const InverseDct& block) {
  auto* rows = reinterpret_cast<__m256i*>(block.coefficients);
  for (int i = 0; i < kPairs; ++i) _mm256_store_si256(rows + i, _mm256_setzero_si256());
}

/// One block in each half of the registers: row[i] has row i of both blocks, for so many pairs of rows.
template <int kPairs>
PENSTOCK_AVX2 inline void load(__m256i (&row)[8], const InverseDct& a, const InverseDct& b) {
  for (int i = 0; i < kPairs; ++i) {
    const __m256i rows_a = scaled_rows(a, i), rows_b = scaled_rows(b, i);
    row[2 * i] = _mm256_permute2x128_si256(rows_a, rows_b, 0x20);
    row[2 * i + 1] = _mm256_permute2x128_si256(rows_a, rows_b, 0x31);
  }
}

/// All bits are set where only the first row has coefficients, whatever becomes of them by the factors.
PENSTOCK_AVX2 inline __m128i is_lone_row(const InverseDct& block) {
  __m128i others = _mm_setzero_si128();
  for (int y = 1; y < DCTSIZE; ++y)
    others = _mm_or_si128(others, _mm_load_si128(reinterpret_cast<const __m128i*>(block.coefficients) + y));
  return _mm_set1_epi8(_mm_testz_si128(others, others) ? -1 : 0);
}

// libjpeg's vector code multiplies a lone row by 4 without saturation. That shows from 8192 on, which sound files do
// not come near; losing the topmost two bits beforehand is the same.
PENSTOCK_AVX2 inline __m256i wrapped_first_row(__m256i row, const InverseDct& a, const InverseDct& b) {
  const __m256i too_large = _mm256_set1_epi16(static_cast<int16_t>(0xE000));
  if (_mm256_testz_si256(_mm256_abs_epi16(row), too_large)) [[likely]]
    return row;
  const __m256i wrapped = _mm256_srai_epi16(_mm256_slli_epi16(row, 2), 2);
  return _mm256_blendv_epi8(row, wrapped, _mm256_set_m128i(is_lone_row(b), is_lone_row(a)));
}

/// Packs columns of samples, which are given by rows, to bytes and writes them as rows.
PENSTOCK_AVX2 inline void store(const __m256i (&column)[8], const InverseDct& a, const InverseDct& b) {
  const __m256i center = _mm256_set1_epi8(CENTERJSAMPLE - 256);
  const __m256i c04 = _mm256_xor_si256(_mm256_packs_epi16(column[0], column[4]), center);
  const __m256i c15 = _mm256_xor_si256(_mm256_packs_epi16(column[1], column[5]), center);
  const __m256i c26 = _mm256_xor_si256(_mm256_packs_epi16(column[2], column[6]), center);
  const __m256i c37 = _mm256_xor_si256(_mm256_packs_epi16(column[3], column[7]), center);
  const __m256i c01 = _mm256_unpacklo_epi8(c04, c15), c45 = _mm256_unpackhi_epi8(c04, c15);
  const __m256i c23 = _mm256_unpacklo_epi8(c26, c37), c67 = _mm256_unpackhi_epi8(c26, c37);
  const __m256i left0 = _mm256_unpacklo_epi16(c01, c23), left4 = _mm256_unpackhi_epi16(c01, c23);
  const __m256i right0 = _mm256_unpacklo_epi16(c45, c67), right4 = _mm256_unpackhi_epi16(c45, c67);
  const __m256i rows[4] = {_mm256_unpacklo_epi32(left0, right0), _mm256_unpackhi_epi32(left0, right0),
                           _mm256_unpacklo_epi32(left4, right4), _mm256_unpackhi_epi32(left4, right4)};
  for (int i = 0; i < 4; ++i) {
    const __m128i rows_a = _mm256_castsi256_si128(rows[i]), rows_b = _mm256_extracti128_si256(rows[i], 1);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(a.samples + 2 * i * a.stride), rows_a);
    _mm_storeh_pd(reinterpret_cast<double*>(a.samples + (2 * i + 1) * a.stride), _mm_castsi128_pd(rows_a));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(b.samples + 2 * i * b.stride), rows_b);
    _mm_storeh_pd(reinterpret_cast<double*>(b.samples + (2 * i + 1) * b.stride), _mm_castsi128_pd(rows_b));
  }
}

PENSTOCK_AVX2 inline void transform_pair(const InverseDct& a, const InverseDct& b) {
  __m256i row[8];
  load<4>(row, a, b);
  row[0] = wrapped_first_row(row[0], a, b);
  clear<4>(a);
  clear<4>(b);
  transform<kFraction - kKept>(row);
  transpose(row);
  transform<kFraction + kKept + 3>(row);
  store(row, a, b);
}

/// Rows 0 to 3 of a transform whose other rows are zeros, from the lower or the upper half of each lane.
/// Row i of the result is sum[i] + odd[i], row 7 - i sum[i] - odd[i].
template <int kDropped>
struct CornerSums {
  __m256i sum[4], odd[4];

  PENSTOCK_AVX2 CornerSums(__m256i row02, __m256i row31) {
    const __m256i half = _mm256_set1_epi32(1 << (kDropped - 1));
    constexpr int16_t k1 = 1 << kFraction;
    sum[0] = _mm256_add_epi32(rotate<k1, k0_541 + k0_765>(row02), half);
    sum[1] = _mm256_add_epi32(rotate<k1, k0_541>(row02), half);
    sum[2] = _mm256_add_epi32(rotate<k1, -k0_541>(row02), half);
    sum[3] = _mm256_add_epi32(rotate<k1, -k0_541 - k0_765>(row02), half);
    odd[0] = rotate<k1_175, k1_501 - k0_899 + k1_175 - k0_390>(row31);
    odd[1] = rotate<k3_072 - k2_562 + k1_175 - k1_961, k1_175>(row31);
    odd[2] = rotate<k1_175 - k2_562, k1_175 - k0_390>(row31);
    odd[3] = rotate<k1_175 - k1_961, k1_175 - k0_899>(row31);
  }
  PENSTOCK_AVX2 __m256i upper(int i) const { return _mm256_srai_epi32(_mm256_add_epi32(sum[i], odd[i]), kDropped); }
  PENSTOCK_AVX2 __m256i lower(int i) const { return _mm256_srai_epi32(_mm256_sub_epi32(sum[i], odd[i]), kDropped); }
};

/// The same as transform_pair where only the first four rows and columns have coefficients.
PENSTOCK_AVX2 inline void transform_corners(const InverseDct& a, const InverseDct& b) {
  __m256i row[8];
  load<2>(row, a, b);
  row[0] = wrapped_first_row(row[0], a, b);
  clear<2>(a);
  clear<2>(b);
  const CornerSums<kFraction - kKept> columns(_mm256_unpacklo_epi16(row[0], row[2]),
                                              _mm256_unpacklo_epi16(row[3], row[1]));
  const __m256i row04 = _mm256_packs_epi32(columns.upper(0), columns.lower(3));
  const __m256i row15 = _mm256_packs_epi32(columns.upper(1), columns.lower(2));
  const __m256i row26 = _mm256_packs_epi32(columns.upper(2), columns.lower(1));
  const __m256i row37 = _mm256_packs_epi32(columns.upper(3), columns.lower(0));
  const Wide row0145 = interleave(row04, row15), row2367 = interleave(row26, row37);
  const __m256i upper01 = _mm256_unpacklo_epi32(row0145.low, row2367.low);
  const __m256i upper23 = _mm256_unpackhi_epi32(row0145.low, row2367.low);
  const __m256i lower01 = _mm256_unpacklo_epi32(row0145.high, row2367.high);
  const __m256i lower23 = _mm256_unpackhi_epi32(row0145.high, row2367.high);
  const __m256i column0 = _mm256_unpacklo_epi64(upper01, lower01), column1 = _mm256_unpackhi_epi64(upper01, lower01);
  const __m256i column2 = _mm256_unpacklo_epi64(upper23, lower23), column3 = _mm256_unpackhi_epi64(upper23, lower23);
  const Wide column02 = interleave(column0, column2), column31 = interleave(column3, column1);
  const CornerSums<kFraction + kKept + 3> low(column02.low, column31.low), high(column02.high, column31.high);
  for (int i = 0; i < 4; ++i) {
    row[i] = _mm256_packs_epi32(low.upper(i), high.upper(i));
    row[7 - i] = _mm256_packs_epi32(low.lower(i), high.lower(i));
  }
  store(row, a, b);
}

}  // namespace

PENSTOCK_AVX2 void inverse_dct(const InverseDct* blocks, int count) {
  for (int i = 0; i < count; i += 2) transform_pair(blocks[i], blocks[i + 1]);
}

PENSTOCK_AVX2 void inverse_dct_corner(const InverseDct* blocks, int count) {
  for (int i = 0; i < count; i += 2) transform_corners(blocks[i], blocks[i + 1]);
}

// libjpeg's vector code keeps 14 bits of such a coefficient.
PENSTOCK_AVX2 void inverse_dct_flat(const InverseDct* blocks, int count) {
  for (const InverseDct* block = blocks; block != blocks + count; ++block) {
    const auto scaled =
        static_cast<int16_t>(static_cast<uint16_t>(block->coefficients[0] * block->factors[0]) << kKept);
    block->coefficients[0] = 0;
    const int sample = std::clamp((scaled + 16) >> 5, -CENTERJSAMPLE, CENTERJSAMPLE - 1) + CENTERJSAMPLE;
    const __m128i row = _mm_set1_epi8(static_cast<char>(sample));
    for (int y = 0; y < DCTSIZE; ++y)
      _mm_storel_epi64(reinterpret_cast<__m128i*>(block->samples + y * block->stride), row);
  }
}

}  // namespace penstock
#endif
