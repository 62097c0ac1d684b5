#include "kernels/resize/row_kernels_neon.h"

#ifdef PENSTOCK_NEON
#include <arm_neon.h>

#include <cstring>

namespace penstock {
namespace {

/// The sums of a group of four lanes, the two taps of a pair beside each other. They are added at the end.
struct PairSums {
  int32x4_t low, high;
};

template <int kRows>
void horizontal_rows(int16_t* const* out, const uint8_t* const* in, const GroupedWeights& axis) {
  const int32x4_t right = vdupq_n_s32(-axis.shift);
  const int16_t* weight = axis.weight.data();
  const int step = 2 * axis.channels;
  int64_t to = 0;
  for (size_t g = 0; g < axis.offset.size(); ++g, to += axis.pixels * axis.channels) {
    const uint8x16_t shuffle = vld1q_u8(axis.shuffle.data() + 16 * g);
    PairSums sum[kRows] = {};
    int64_t from = axis.offset[g];
    for (int pair = 0; pair < axis.pairs; ++pair, from += step, weight += 8) {
      const int16x8_t w = vld1q_s16(weight);
      for (int r = 0; r < kRows; ++r) {
        const int16x8_t words = vreinterpretq_s16_u8(vqtbl1q_u8(vld1q_u8(in[r] + from), shuffle));
        sum[r].low = vmlal_s16(sum[r].low, vget_low_s16(words), vget_low_s16(w));
        sum[r].high = vmlal_high_s16(sum[r].high, words, w);
      }
    }
    for (int r = 0; r < kRows; ++r)
      vst1_s16(out[r] + to, vqmovn_s32(vrshlq_s32(vpaddq_s32(sum[r].low, sum[r].high), right)));
  }
}

void horizontal_neon(std::span<int16_t* const> out, std::span<const uint8_t* const> in, const GroupedWeights& axis) {
  size_t r = 0;
  for (; r + 4 <= in.size(); r += 4) horizontal_rows<4>(&out[r], &in[r], axis);
  for (; r < in.size(); ++r) horizontal_rows<1>(&out[r], &in[r], axis);
}

void vertical_neon(uint8_t* out, std::span<const int16_t* const> rows, const int16_t* weight, int shift, int64_t n) {
  constexpr int64_t kColumns = 32;
  const int32x4_t right = vdupq_n_s32(-shift);
  for (int64_t x = 0; x < n; x += kColumns) {
    int32x4_t sum[8] = {};
    for (size_t k = 0; k < rows.size(); ++k) {
      const int16x8_t w = vdupq_n_s16(weight[k]);
      for (int i = 0; i < 4; ++i) {
        const int16x8_t row = vld1q_s16(rows[k] + x + 8 * i);
        sum[2 * i] = vmlal_s16(sum[2 * i], vget_low_s16(row), vget_low_s16(w));
        sum[2 * i + 1] = vmlal_high_s16(sum[2 * i + 1], row, w);
      }
    }
    uint8x8_t bytes[4];
    for (int i = 0; i < 4; ++i) {
      const int16x4_t low = vqmovn_s32(vrshlq_s32(sum[2 * i], right));
      bytes[i] = vqmovun_s16(vqmovn_high_s32(low, vrshlq_s32(sum[2 * i + 1], right)));
    }
    uint8_t rest[kColumns];
    uint8_t* const to = n - x >= kColumns ? out + x : rest;
    vst1q_u8(to, vcombine_u8(bytes[0], bytes[1]));
    vst1q_u8(to + 16, vcombine_u8(bytes[2], bytes[3]));
    if (to == rest) std::memcpy(out + x, rest, n - x);
  }
}

}  // namespace

const RowKernels kNeonRowKernels{"neon", 4, horizontal_neon, vertical_neon};

}  // namespace penstock
#endif
