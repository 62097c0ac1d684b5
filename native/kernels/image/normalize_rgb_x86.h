// The vector forms of normalize_rgb. Included by normalize_rgb.cc only.
#pragma once

#include "cpu/instruction_sets.h"
#include "kernels/image/normalize_rgb.h"

#ifdef PENSTOCK_X86

namespace penstock {

constexpr int64_t kAvx2RgbLanes = 8, kAvx512RgbLanes = 16;

/// For rows of 8 pixels and more.
PENSTOCK_AVX2 void normalize_rgb_avx2(float* out, int64_t plane, const RgbRows& rows, const float* mean,
                                      const float* inverse);

/// For rows of 16 pixels and more.
PENSTOCK_AVX512 void normalize_rgb_avx512(float* out, int64_t plane, const RgbRows& rows, const float* mean,
                                          const float* inverse);

}  // namespace penstock

#endif
