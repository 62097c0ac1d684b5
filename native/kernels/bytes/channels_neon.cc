#include "kernels/bytes/channels_neon.h"

#ifdef PENSTOCK_NEON

#include <arm_neon.h>

namespace penstock {

int64_t split_rgb_neon(std::byte* out, int64_t plane, const std::byte* in, int64_t n) {
  auto* to = reinterpret_cast<uint8_t*>(out);
  const auto* from = reinterpret_cast<const uint8_t*>(in);
  int64_t i = 0;
  for (; i + 16 <= n; i += 16) {
    const uint8x16x3_t pixels = vld3q_u8(from + 3 * i);
    for (int c = 0; c < 3; ++c) vst1q_u8(to + c * plane + i, pixels.val[c]);
  }
  return i;
}

int64_t join_rgb_neon(std::byte* out, const std::byte* in, int64_t plane, int64_t n) {
  auto* to = reinterpret_cast<uint8_t*>(out);
  const auto* from = reinterpret_cast<const uint8_t*>(in);
  int64_t i = 0;
  for (; i + 16 <= n; i += 16) {
    const uint8x16x3_t pixels{{vld1q_u8(from + i), vld1q_u8(from + plane + i), vld1q_u8(from + 2 * plane + i)}};
    vst3q_u8(to + 3 * i, pixels);
  }
  return i;
}

}  // namespace penstock

#endif
