#include "kernels/filter/weighted_sum_neon.h"

#ifdef PENSTOCK_NEON

#include <arm_neon.h>

namespace penstock {

// Four vectors at a time: their sums stay in registers while rows and weights are loaded.
int64_t symmetric_weighted_sum_neon(int16_t* out, const int16_t* const* row, const int16_t* weight, int radius,
                                    int64_t n, bool adds) {
  constexpr int kVectors = 4, kLanes = 8;
  const int16_t* const* middle = row + radius;
  int64_t x = 0;
  for (; x + kVectors * kLanes <= n; x += kVectors * kLanes) {
    int16x8_t sum[kVectors];
    for (int i = 0; i < kVectors; ++i) {
      const int64_t at = x + i * kLanes;
      const int16x8_t begin = adds ? vld1q_s16(out + at) : vdupq_n_s16(0);
      sum[i] = vaddq_s16(begin, vqrdmulhq_n_s16(vld1q_s16(*middle + at), weight[0]));
    }
    for (int k = 1; k <= radius; ++k) {
      const int16_t *low = middle[-k], *high = middle[k], factor = weight[k];
      for (int i = 0; i < kVectors; ++i) {
        const int64_t at = x + i * kLanes;
        const int16x8_t pair = vaddq_s16(vld1q_s16(low + at), vld1q_s16(high + at));
        sum[i] = vaddq_s16(sum[i], vqrdmulhq_n_s16(pair, factor));
      }
    }
    for (int i = 0; i < kVectors; ++i) vst1q_s16(out + x + i * kLanes, sum[i]);
  }
  return x;
}

}  // namespace penstock

#endif
