#include "codecs/jpeg/ycc_to_rgb.h"

#ifdef PENSTOCK_NEON
#include <arm_neon.h>

#include <cstring>

namespace penstock {
namespace {

constexpr int64_t kPixels = 16;
constexpr int64_t kChannels = 3;

struct Colors {
  uint8x8_t red, green, blue;
};

// libjpeg has 16 bits of fraction. Products of 15 bits round the same for each of the 256 values of a chroma sample,
// which does not hold for green, where two are added before they are rounded.
inline Colors convert_lanes(uint8x8_t y, uint8x8_t cb_bytes, uint8x8_t cr_bytes) {
  const uint8x8_t center = vdup_n_u8(128);
  const int16x8_t luma = vreinterpretq_s16_u16(vmovl_u8(y));
  const int16x8_t cb = vreinterpretq_s16_u16(vsubl_u8(cb_bytes, center));
  const int16x8_t cr = vreinterpretq_s16_u16(vsubl_u8(cr_bytes, center));
  const int16x8_t more_red = vqrdmulhq_n_s16(cr, 13173);   // 1.402 - 1
  const int16x8_t less_blue = vqrdmulhq_n_s16(cb, -7471);  // 1.772 - 2
  // -0.34414, 1 - 0.71414
  const int32x4_t low = vmlal_n_s16(vmull_n_s16(vget_low_s16(cb), -22554), vget_low_s16(cr), 18734);
  const int32x4_t high = vmlal_high_n_s16(vmull_high_n_s16(cb, -22554), cr, 18734);
  const int16x8_t less_green = vrshrn_high_n_s32(vrshrn_n_s32(low, 16), high, 16);
  return {vqmovun_s16(vaddq_s16(vaddq_s16(luma, cr), more_red)),
          vqmovun_s16(vaddq_s16(vsubq_s16(luma, cr), less_green)),
          vqmovun_s16(vaddq_s16(vaddq_s16(luma, less_blue), vaddq_s16(cb, cb)))};
}

inline uint8x16x3_t convert_bytes(const uint8_t* y, const uint8_t* cb, const uint8_t* cr, bool bgr) {
  const Colors low = convert_lanes(vld1_u8(y), vld1_u8(cb), vld1_u8(cr));
  const Colors high = convert_lanes(vld1_u8(y + 8), vld1_u8(cb + 8), vld1_u8(cr + 8));
  const uint8x16_t red = vcombine_u8(low.red, high.red), blue = vcombine_u8(low.blue, high.blue);
  return {{bgr ? blue : red, vcombine_u8(low.green, high.green), bgr ? red : blue}};
}

}  // namespace

void ycc_to_rgb(uint8_t* out, const uint8_t* y, const uint8_t* cb, const uint8_t* cr, int64_t pixels, bool bgr) {
  int64_t k = 0;
  for (; k + kPixels <= pixels; k += kPixels) vst3q_u8(out + k * kChannels, convert_bytes(y + k, cb + k, cr + k, bgr));
  if (k == pixels) return;
  uint8_t last[kPixels * kChannels];
  vst3q_u8(last, convert_bytes(y + k, cb + k, cr + k, bgr));
  std::memcpy(out + k * kChannels, last, (pixels - k) * kChannels);
}

}  // namespace penstock
#endif
