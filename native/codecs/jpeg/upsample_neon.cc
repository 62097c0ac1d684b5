#include "codecs/jpeg/upsample.h"

#ifdef PENSTOCK_NEON
#include <arm_neon.h>

namespace penstock {
namespace {

constexpr int64_t kLanes = 8;

/// Three times `near` and once `far`.
inline uint16x8_t column_sum(const uint8_t* near, const uint8_t* far) {
  return vmlal_u8(vmovl_u8(vld1_u8(far)), vld1_u8(near), vdup_n_u8(3));
}

}  // namespace

// Halves are rounded down on one side and up on the other.
void upsample_columns(uint8_t* out, const uint8_t* row, int64_t samples) {
  const uint16x8_t one = vdupq_n_u16(1);
  for (int64_t k = 0; k < samples; k += kLanes) {
    const uint16x8_t here = vmull_u8(vld1_u8(row + k), vdup_n_u8(3));
    const uint16x8_t even = vaddw_u8(here, vld1_u8(row + k - 1)), odd = vaddw_u8(here, vld1_u8(row + k + 1));
    const uint8x8x2_t made{{vshrn_n_u16(vaddq_u16(even, one), 2), vrshrn_n_u16(odd, 2)}};
    vst2_u8(out + 2 * k, made);
  }
}

// The sums of the columns beside come from the vectors before and behind.
void upsample_both(uint8_t* out, const uint8_t* near, const uint8_t* far, int64_t samples) {
  const uint16x8_t seven = vdupq_n_u16(7);
  uint16x8_t before = vdupq_n_u16(static_cast<uint16_t>(3 * near[-1] + far[-1])), here = column_sum(near, far);
  for (int64_t k = 0; k < samples; k += kLanes) {
    const uint16x8_t behind = column_sum(near + k + kLanes, far + k + kLanes);
    const uint16x8_t even = vmlaq_n_u16(vextq_u16(before, here, kLanes - 1), here, 3);
    const uint16x8_t odd = vmlaq_n_u16(vextq_u16(here, behind, 1), here, 3);
    const uint8x8x2_t made{{vrshrn_n_u16(even, 4), vshrn_n_u16(vaddq_u16(odd, seven), 4)}};
    vst2_u8(out + 2 * k, made);
    before = here;
    here = behind;
  }
}

}  // namespace penstock
#endif
