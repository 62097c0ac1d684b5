#include "kernels/elements/convert_neon.h"

#ifdef PENSTOCK_NEON

#include <arm_neon.h>

#include "kernels/elements/convert.h"

namespace penstock {

int64_t floats_to_halves_neon(uint16_t* out, const float* in, int64_t n) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const float16x4_t low = vcvt_f16_f32(vld1q_f32(in + i));
    vst1q_u16(out + i, vreinterpretq_u16_f16(vcvt_high_f16_f32(low, vld1q_f32(in + i + 4))));
  }
  return i;
}

int64_t halves_to_floats_neon(float* out, const uint16_t* in, int64_t n) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const float16x8_t halves = vreinterpretq_f16_u16(vld1q_u16(in + i));
    vst1q_f32(out + i, vcvt_f32_f16(vget_low_f16(halves)));
    vst1q_f32(out + i + 4, vcvt_high_f32_f16(halves));
  }
  return i;
}

// Conversion to 32 bits saturates by itself, and makes 0 of what is below it and of NaN.
int64_t floats_to_bytes_neon(uint8_t* out, const float* in, int64_t n) {
  const float32x4_t half = vdupq_n_f32(half_away(0.0f));
  const auto rounded_lanes = [&](int64_t at) { return vcvtq_u32_f32(vaddq_f32(vld1q_f32(in + at), half)); };
  const auto bytes = [&](int64_t at) {
    return vqmovn_u16(vqmovn_high_u32(vqmovn_u32(rounded_lanes(at)), rounded_lanes(at + 4)));
  };
  int64_t i = 0;
  for (; i + 16 <= n; i += 16) vst1q_u8(out + i, vcombine_u8(bytes(i), bytes(i + 8)));
  return i;
}

}  // namespace penstock

#endif
