#include "kernels/image/normalize_rgb.h"

#include "kernels/image/normalize_rgb_x86.h"

namespace penstock {

#ifdef PENSTOCK_X86

int64_t narrowest_rgb_row() { return kHasAvx2 ? kAvx2RgbLanes : -1; }

void normalize_rgb(float* out, int64_t plane, const RgbRows& rows, const float* mean, const float* inverse) {
  if (kHasAvx512 && rows.width >= kAvx512RgbLanes) return normalize_rgb_avx512(out, plane, rows, mean, inverse);
  normalize_rgb_avx2(out, plane, rows, mean, inverse);
}

#else

int64_t narrowest_rgb_row() { return -1; }

void normalize_rgb(float*, int64_t, const RgbRows&, const float*, const float*) {}

#endif

}  // namespace penstock
