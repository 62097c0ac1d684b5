#include "cpu/arm_instruction_sets.h"
#include "kernels/warp/blend_u8.h"

#ifdef PENSTOCK_NEON

#include <arm_neon.h>

#include <cstring>

namespace penstock {
namespace {

inline int16x8_t centred(uint8x8_t bytes) { return vreinterpretq_s16_u16(vsubl_u8(bytes, vdup_n_u8(128))); }

/// Sums on the way down but for their topmost bits, which are zeros, and their last kBlendShift - 16.
inline uint16x4_t upper_bits(int32x4_t sum) {
  return vshrn_n_u32(vreinterpretq_u32_s32(vaddq_s32(sum, vdupq_n_s32(kBlendBias))), 16);
}

/// The channels of one pixel.
template <int kChannels>
inline uint16x4_t blended_pixel(const uint8_t* upper, const uint8_t* lower, uint32_t across, uint32_t down) {
  const int16x8_t high = centred(vld1_u8(upper)), low = centred(vld1_u8(lower));
  const int16x8_t left = vcombine_s16(vget_low_s16(high), vget_low_s16(low));
  const int16x8_t right =
      vcombine_s16(vget_low_s16(vextq_s16(high, high, kChannels)), vget_low_s16(vextq_s16(low, low, kChannels)));
  const auto far = static_cast<int16_t>(across >> 24), below = static_cast<int16_t>(down >> 16);
  const int16x8_t rows = vmlaq_n_s16(vmulq_n_s16(left, static_cast<int16_t>(kAcross - far)), right, far);
  const int32x4_t sum = vmull_n_s16(vget_low_s16(rows), static_cast<int16_t>(kDown - below));
  return upper_bits(vmlal_high_n_s16(sum, rows, below));
}

template <int kChannels>
int blend_colours(uint8_t* out, const uint8_t* data, int64_t row, const int32_t* offset, BlendWeights weights, int n) {
  static constexpr uint8_t kCloseUp[16] = {0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 255, 255, 255, 255};
  const uint8x16_t close_up = vld1q_u8(kCloseUp);
  int i = 0;
  for (; i + 4 <= n; i += 4, out += 4 * kChannels) {
    uint16x4_t pixel[4];
    for (int k = 0; k < 4; ++k) {
      const uint8_t* at = data + offset[i + k];
      pixel[k] = blended_pixel<kChannels>(at, at + row, weights.across[i + k], weights.down[i + k]);
    }
    const uint8x8_t low = vshrn_n_u16(vcombine_u16(pixel[0], pixel[1]), kBlendShift - 16);
    const uint8x16_t bytes = vshrn_high_n_u16(low, vcombine_u16(pixel[2], pixel[3]), kBlendShift - 16);
    if constexpr (kChannels == 4) {
      vst1q_u8(out, bytes);
    } else {
      const uint8x16_t closed = vqtbl1q_u8(bytes, close_up);
      vst1_u8(out, vget_low_u8(closed));
      const uint32_t rest = vgetq_lane_u32(vreinterpretq_u32_u8(closed), 2);
      std::memcpy(out + 8, &rest, sizeof rest);
    }
  }
  return i;
}

/// Two neighbours of each of eight pixels, one in each byte, weighted on the way across.
inline int16x8_t blended_rows(const uint16_t* pairs, int16x8_t near, int16x8_t far) {
  const uint16x8_t both = vld1q_u16(pairs);
  const int16x8_t left = centred(vmovn_u16(both)), right = centred(vshrn_n_u16(both, 8));
  return vmlaq_s16(vmulq_s16(left, near), right, far);
}

int blend_greys(uint8_t* out, const uint8_t* data, int64_t row, const int32_t* offset, BlendWeights weights, int n) {
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    uint16_t upper[8], lower[8];
    for (int k = 0; k < 8; ++k) {
      std::memcpy(&upper[k], data + offset[i + k], 2);
      std::memcpy(&lower[k], data + offset[i + k] + row, 2);
    }
    const uint16x8_t across =
        vshrn_high_n_u32(vshrn_n_u32(vld1q_u32(weights.across + i), 16), vld1q_u32(weights.across + i + 4), 16);
    const int16x8_t far = vreinterpretq_s16_u16(vshrq_n_u16(across, 8));
    const int16x8_t near = vsubq_s16(vdupq_n_s16(kAcross), far);
    const int16x8_t below = vreinterpretq_s16_u16(
        vshrn_high_n_u32(vshrn_n_u32(vld1q_u32(weights.down + i), 16), vld1q_u32(weights.down + i + 4), 16));
    const int16x8_t above = vsubq_s16(vdupq_n_s16(kDown), below);
    const int16x8_t high_row = blended_rows(upper, near, far), low_row = blended_rows(lower, near, far);
    const int32x4_t first =
        vmlal_s16(vmull_s16(vget_low_s16(high_row), vget_low_s16(above)), vget_low_s16(low_row), vget_low_s16(below));
    const int32x4_t second = vmlal_high_s16(vmull_high_s16(high_row, above), low_row, below);
    vst1_u8(out + i, vshrn_n_u16(vcombine_u16(upper_bits(first), upper_bits(second)), kBlendShift - 16));
  }
  return i;
}

}  // namespace

BlendRow blend_row(int64_t channels) {
  return channels == 1 ? blend_greys : channels == 3 ? blend_colours<3> : channels == 4 ? blend_colours<4> : nullptr;
}

}  // namespace penstock

#endif
