#include "kernels/color/linear_colors_neon.h"

#ifdef PENSTOCK_NEON

#include <arm_neon.h>

#include "cpu/vectorize.h"
#include "kernels/elements/convert.h"

namespace penstock {
namespace {

PENSTOCK_INLINE inline float32x4x4_t bytes_to_floats(uint8x16_t bytes) {
  const uint16x8_t low = vmovl_u8(vget_low_u8(bytes)), high = vmovl_high_u8(bytes);
  return {vcvtq_f32_u32(vmovl_u16(vget_low_u16(low))), vcvtq_f32_u32(vmovl_high_u16(low)),
          vcvtq_f32_u32(vmovl_u16(vget_low_u16(high))), vcvtq_f32_u32(vmovl_high_u16(high))};
}

// Conversion to 32 bits saturates by itself, and makes 0 of what is below it and of NaN.
PENSTOCK_INLINE inline uint8x16_t rounded_bytes(const float32x4x4_t& value) {
  const float32x4_t half = vdupq_n_f32(half_away(0.0f));
  const auto lanes = [&](int k) PENSTOCK_INLINE { return vcvtq_u32_f32(vaddq_f32(value.val[k], half)); };
  const uint16x8_t low = vqmovn_high_u32(vqmovn_u32(lanes(0)), lanes(1));
  const uint16x8_t high = vqmovn_high_u32(vqmovn_u32(lanes(2)), lanes(3));
  return vqmovn_high_u16(vqmovn_u16(low), high);
}

}  // namespace

int64_t linear_bytes_neon(uint8_t* to, const uint8_t* from, int64_t n, float factor, float addend) {
  const float32x4_t scale = vdupq_n_f32(factor), shift = vdupq_n_f32(addend);
  int64_t i = 0;
  for (; i + 16 <= n; i += 16) {
    float32x4x4_t value = bytes_to_floats(vld1q_u8(from + i));
    for (float32x4_t& four : value.val) four = vaddq_f32(vmulq_f32(four, scale), shift);
    vst1q_u8(to + i, rounded_bytes(value));
  }
  return i;
}

int64_t map_bytes_neon(uint8_t* to, const uint8_t* from, int64_t pixels, const ColorMap& map) {
  int64_t i = 0;
  for (; i + 16 <= pixels; i += 16) {
    const uint8x16x3_t in = vld3q_u8(from + 3 * i);
    const float32x4x4_t a = bytes_to_floats(in.val[0]), b = bytes_to_floats(in.val[1]), c = bytes_to_floats(in.val[2]);
    uint8x16x3_t out;
    for (int channel = 0; channel < 3; ++channel) {
      const float(&m)[4] = map[channel];
      float32x4x4_t sum;
      for (int k = 0; k < 4; ++k) {
        const float32x4_t two = vaddq_f32(vmulq_n_f32(a.val[k], m[0]), vmulq_n_f32(b.val[k], m[1]));
        sum.val[k] = vaddq_f32(vaddq_f32(two, vmulq_n_f32(c.val[k], m[2])), vdupq_n_f32(m[3]));
      }
      out.val[channel] = rounded_bytes(sum);
    }
    vst3q_u8(to + 3 * i, out);
  }
  return i;
}

}  // namespace penstock

#endif
