#include "kernels/color/lookup_neon.h"

#ifdef PENSTOCK_NEON

#include <arm_neon.h>

namespace penstock {

// An instruction looks up 64 entries, and leaves what it has where a number is beyond them.
int64_t look_up_bytes_neon(uint8_t* out, const uint8_t* in, int64_t n, const uint8_t* table) {
  const uint8x16x4_t first = vld1q_u8_x4(table), second = vld1q_u8_x4(table + 64);
  const uint8x16x4_t third = vld1q_u8_x4(table + 128), fourth = vld1q_u8_x4(table + 192);
  int64_t i = 0;
  for (; i + 16 <= n; i += 16) {
    const uint8x16_t at = vld1q_u8(in + i);
    uint8x16_t found = vqtbl4q_u8(first, at);
    found = vqtbx4q_u8(found, second, vsubq_u8(at, vdupq_n_u8(64)));
    found = vqtbx4q_u8(found, third, vsubq_u8(at, vdupq_n_u8(128)));
    found = vqtbx4q_u8(found, fourth, vsubq_u8(at, vdupq_n_u8(192)));
    vst1q_u8(out + i, found);
  }
  return i;
}

}  // namespace penstock

#endif
