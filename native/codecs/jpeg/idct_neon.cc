#include "codecs/jpeg/idct.h"

#ifdef PENSTOCK_NEON
#include <arm_neon.h>

#include <algorithm>

#include "codecs/jpeg/idct_cosines.h"

namespace penstock {
namespace {

/// The 32-bit sums of a row of eight.
struct Wide {
  int32x4_t low, high;
};

inline Wide operator+(const Wide& a, const Wide& b) { return {vaddq_s32(a.low, b.low), vaddq_s32(a.high, b.high)}; }
inline Wide operator-(const Wide& a, const Wide& b) { return {vsubq_s32(a.low, b.low), vsubq_s32(a.high, b.high)}; }

/// a * x + b * y.
template <int16_t a, int16_t b>
inline int32x4_t rotate(int16x4_t x, int16x4_t y) {
  return vmlal_n_s16(vmull_n_s16(x, a), y, b);
}
template <int16_t a, int16_t b>
inline Wide rotate(int16x8_t x, int16x8_t y) {
  return {rotate<a, b>(vget_low_s16(x), vget_low_s16(y)), vmlal_high_n_s16(vmull_high_n_s16(x, a), y, b)};
}

/// The same added to `sum`.
template <int16_t a, int16_t b>
inline Wide rotate_onto(const Wide& sum, int16x8_t x, int16x8_t y) {
  return {vmlal_n_s16(vmlal_n_s16(sum.low, vget_low_s16(x), a), vget_low_s16(y), b),
          vmlal_high_n_s16(vmlal_high_n_s16(sum.high, x, a), y, b)};
}

/// `x` as a fraction.
inline Wide widen(int16x8_t x) { return {vshll_n_s16(vget_low_s16(x), kFraction), vshll_high_n_s16(x, kFraction)}; }

/// The eight rows of a transform before the last bits are dropped: row i is sum[i] + odd[i], row 7 - i the difference.
template <typename Sums>
struct Halves {
  Sums sum[4], odd[4];
};

// Sums of 16 bits wrap where libjpeg's vector code for x86 has them wrap: damaged files have values for which it shows,
// and they become the same pixels everywhere.
inline Halves<Wide> transform(const int16x8_t (&row)[8]) {
  const Wide even3 = rotate<k0_541 + k0_765, k0_541>(row[2], row[6]);
  const Wide even2 = rotate<k0_541, k0_541 - k1_847>(row[2], row[6]);
  const Wide even0 = widen(vaddq_s16(row[0], row[4])), even1 = widen(vsubq_s16(row[0], row[4]));
  const int16x8_t z73 = vaddq_s16(row[7], row[3]), z51 = vaddq_s16(row[5], row[1]);
  const Wide z3 = rotate<k1_175 - k1_961, k1_175>(z73, z51), z4 = rotate<k1_175, k1_175 - k0_390>(z73, z51);
  return {{even0 + even3, even1 + even2, even1 - even2, even0 - even3},
          {rotate_onto<-k0_899, k1_501 - k0_899>(z4, row[7], row[1]),
           rotate_onto<-k2_562, k3_072 - k2_562>(z3, row[5], row[3]),
           rotate_onto<k2_053 - k2_562, -k2_562>(z4, row[5], row[3]),
           rotate_onto<k0_298 - k0_899, -k0_899>(z3, row[7], row[1])}};
}

/// The same of four columns whose rows from the fifth on are zeros.
inline Halves<int32x4_t> transform_corner(const int16x4_t (&row)[4]) {
  const int32x4_t even0 = vshll_n_s16(row[0], kFraction);
  const int32x4_t even3 = vmull_n_s16(row[2], k0_541 + k0_765), even2 = vmull_n_s16(row[2], k0_541);
  return {{vaddq_s32(even0, even3), vaddq_s32(even0, even2), vsubq_s32(even0, even2), vsubq_s32(even0, even3)},
          {rotate<k1_175, k1_501 - k0_899 + k1_175 - k0_390>(row[3], row[1]),
           rotate<k3_072 - k2_562 + k1_175 - k1_961, k1_175>(row[3], row[1]),
           rotate<k1_175 - k2_562, k1_175 - k0_390>(row[3], row[1]),
           rotate<k1_175 - k1_961, k1_175 - k0_899>(row[3], row[1])}};
}

/// Results of the first pass, which saturate.
inline int16x8_t kept(const Wide& x) {
  constexpr int kDropped = kFraction - kKept;
  return vqrshrn_high_n_s32(vqrshrn_n_s32(x.low, kDropped), x.high, kDropped);
}

/// Results of the second pass, but for their last two bits, which go when they become bytes.
inline int16x8_t rounded_sum(const Wide& x) {
  constexpr int kDropped = kFraction + kKept + 3;
  const int32x4_t half = vdupq_n_s32(1 << (kDropped - 1));
  return vaddhn_high_s32(vaddhn_s32(x.low, half), x.high, half);
}
inline uint8x16_t samples(int16x8_t low, int16x8_t high) {
  const int8x16_t bytes = vqshrn_high_n_s16(vqshrn_n_s16(low, 2), high, 2);
  return veorq_u8(vreinterpretq_u8_s8(bytes), vdupq_n_u8(CENTERJSAMPLE));
}

inline int16x8_t zip_words(int16x8_t a, int16x8_t b, bool upper) { return upper ? vzip2q_s16(a, b) : vzip1q_s16(a, b); }

inline void transpose(int16x8_t (&row)[8]) {
  int16x8_t zipped[8];
  for (int pass = 0; pass < 3; ++pass) {
    for (int i = 0; i < 4; ++i) {
      zipped[2 * i] = zip_words(row[i], row[i + 4], false);
      zipped[2 * i + 1] = zip_words(row[i], row[i + 4], true);
    }
    std::copy_n(zipped, 8, row);
  }
}

/// Columns of samples written as rows.
inline void store(const Halves<Wide>& made, const InverseDct& block) {
  int16x8_t column[8];
  for (int i = 0; i < 4; ++i) {
    column[i] = rounded_sum(made.sum[i] + made.odd[i]);
    column[7 - i] = rounded_sum(made.sum[i] - made.odd[i]);
  }
  const uint8x16_t c04 = samples(column[0], column[4]), c15 = samples(column[1], column[5]);
  const uint8x16_t c26 = samples(column[2], column[6]), c37 = samples(column[3], column[7]);
  const uint16x8_t c01 = vreinterpretq_u16_u8(vzip1q_u8(c04, c15)), c45 = vreinterpretq_u16_u8(vzip2q_u8(c04, c15));
  const uint16x8_t c23 = vreinterpretq_u16_u8(vzip1q_u8(c26, c37)), c67 = vreinterpretq_u16_u8(vzip2q_u8(c26, c37));
  const uint32x4_t left0 = vreinterpretq_u32_u16(vzip1q_u16(c01, c23)),
                   left4 = vreinterpretq_u32_u16(vzip2q_u16(c01, c23));
  const uint32x4_t right0 = vreinterpretq_u32_u16(vzip1q_u16(c45, c67)),
                   right4 = vreinterpretq_u32_u16(vzip2q_u16(c45, c67));
  const uint32x4_t rows[4] = {vzip1q_u32(left0, right0), vzip2q_u32(left0, right0), vzip1q_u32(left4, right4),
                              vzip2q_u32(left4, right4)};
  for (int i = 0; i < 4; ++i) {
    const uint8x16_t two = vreinterpretq_u8_u32(rows[i]);
    vst1_u8(block.samples + 2 * i * block.stride, vget_low_u8(two));
    vst1_u8(block.samples + (2 * i + 1) * block.stride, vget_high_u8(two));
  }
}

inline int16x8_t scaled_row(const InverseDct& block, int y) {
  return vmulq_s16(vld1q_s16(block.coefficients + y * DCTSIZE), vld1q_s16(block.factors + y * DCTSIZE));
}

inline void clear(const InverseDct& block, int rows) {
  for (int y = 0; y < rows; ++y) vst1q_s16(block.coefficients + y * DCTSIZE, vdupq_n_s16(0));
}

bool is_lone_row(const InverseDct& block) {
  return std::all_of(block.coefficients + DCTSIZE, block.coefficients + DCTSIZE2, [](JCOEF c) { return c == 0; });
}

// libjpeg's vector code for x86 multiplies a lone row by 4 without saturation. That shows from 8192 on, which sound
// files do not come near; losing the topmost two bits beforehand is the same.
inline int16x8_t wrapped_first_row(int16x8_t row, const InverseDct& block) {
  if (vmaxvq_u16(vreinterpretq_u16_s16(vabsq_s16(row))) < 0x2000) [[likely]]
    return row;
  return is_lone_row(block) ? vshrq_n_s16(vshlq_n_s16(row, 2), 2) : row;
}

inline void transform_block(const InverseDct& block) {
  int16x8_t row[8];
  for (int y = 0; y < 8; ++y) row[y] = scaled_row(block, y);
  row[0] = wrapped_first_row(row[0], block);
  clear(block, 8);
  const Halves<Wide> columns = transform(row);
  for (int i = 0; i < 4; ++i) {
    row[i] = kept(columns.sum[i] + columns.odd[i]);
    row[7 - i] = kept(columns.sum[i] - columns.odd[i]);
  }
  transpose(row);
  store(transform(row), block);
}

/// The same as transform_block where only the first four rows and columns have coefficients.
inline void transform_corner_block(const InverseDct& block) {
  const int16x8_t first = wrapped_first_row(scaled_row(block, 0), block);
  const int16x4_t row[4] = {vget_low_s16(first), vget_low_s16(scaled_row(block, 1)), vget_low_s16(scaled_row(block, 2)),
                            vget_low_s16(scaled_row(block, 3))};
  clear(block, 4);
  const Halves<int32x4_t> columns = transform_corner(row);
  int16x8_t rows[4];  // row i, and in the upper half row i + 4
  for (int i = 0; i < 4; ++i)
    rows[i] = kept({vaddq_s32(columns.sum[i], columns.odd[i]), vsubq_s32(columns.sum[3 - i], columns.odd[3 - i])});
  const int32x4_t ab0 = vreinterpretq_s32_s16(vtrn1q_s16(rows[0], rows[1])),
                  ab1 = vreinterpretq_s32_s16(vtrn2q_s16(rows[0], rows[1]));
  const int32x4_t cd0 = vreinterpretq_s32_s16(vtrn1q_s16(rows[2], rows[3])),
                  cd1 = vreinterpretq_s32_s16(vtrn2q_s16(rows[2], rows[3]));
  const int16x8_t column[4] = {vreinterpretq_s16_s32(vtrn1q_s32(ab0, cd0)), vreinterpretq_s16_s32(vtrn1q_s32(ab1, cd1)),
                               vreinterpretq_s16_s32(vtrn2q_s32(ab0, cd0)),
                               vreinterpretq_s16_s32(vtrn2q_s32(ab1, cd1))};
  int16x4_t low[4], high[4];
  for (int i = 0; i < 4; ++i) {
    low[i] = vget_low_s16(column[i]);
    high[i] = vget_high_s16(column[i]);
  }
  const Halves<int32x4_t> upper = transform_corner(low), lower = transform_corner(high);
  Halves<Wide> made;
  for (int i = 0; i < 4; ++i) {
    made.sum[i] = {upper.sum[i], lower.sum[i]};
    made.odd[i] = {upper.odd[i], lower.odd[i]};
  }
  store(made, block);
}

}  // namespace

void inverse_dct(const InverseDct* blocks, int count) { std::for_each_n(blocks, count, transform_block); }

void inverse_dct_corner(const InverseDct* blocks, int count) { std::for_each_n(blocks, count, transform_corner_block); }

// libjpeg's vector code for x86 keeps 14 bits of such a coefficient.
void inverse_dct_flat(const InverseDct* blocks, int count) {
  for (const InverseDct* block = blocks; block != blocks + count; ++block) {
    const auto scaled =
        static_cast<int16_t>(static_cast<uint16_t>(block->coefficients[0] * block->factors[0]) << kKept);
    block->coefficients[0] = 0;
    const int sample = std::clamp((scaled + 16) >> 5, -CENTERJSAMPLE, CENTERJSAMPLE - 1) + CENTERJSAMPLE;
    const uint8x8_t row = vdup_n_u8(static_cast<uint8_t>(sample));
    for (int y = 0; y < DCTSIZE; ++y) vst1_u8(block->samples + y * block->stride, row);
  }
}

}  // namespace penstock
#endif
