#include "kernels/filter/weighted_sum_neon.h"

#ifdef PENSTOCK_NEON

#include <arm_neon.h>

#define PENSTOCK_LANES

namespace penstock {
namespace {

using Lanes = uint16x8_t;

inline Lanes product(Lanes a, Lanes b) {
  return vreinterpretq_u16_s16(vqrdmulhq_s16(vreinterpretq_s16_u16(a), vreinterpretq_s16_u16(b)));
}

}  // namespace
}  // namespace penstock

#include "kernels/filter/weighted_sum_lanes.h"

namespace penstock {

bool symmetric_weighted_sum_neon(int16_t* out, const int16_t* const* row, const int16_t* weight, int radius, int64_t n,
                                 bool adds) {
  return put_symmetric_sums(out, row, weight, radius, n, adds);
}

}  // namespace penstock

#endif
