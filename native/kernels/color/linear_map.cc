#include "kernels/color/linear_map.h"

#include <cmath>

#include "cpu/vectorize.h"
#include "kernels/color/linear_colors_neon.h"
#include "kernels/color/linear_map_avx2.h"
#include "kernels/elements/float_blocks.h"

namespace penstock {

void linear(View out, ConstView in, float factor, float addend) {
  int64_t done = 0;
#ifdef PENSTOCK_X86
  const bool fits = 255 * std::abs(factor) + std::abs(addend) < 1e9f;
  if (in.dtype == DType::u8 && out.dtype == DType::u8 && fits && kHasAvx2)
    done = linear_bytes_avx2(out.as<uint8_t>(), in.as<uint8_t>(), in.shape.volume(), factor, addend);
#endif
#ifdef PENSTOCK_NEON
  if (in.dtype == DType::u8 && out.dtype == DType::u8)
    done = linear_bytes_neon(out.as<uint8_t>(), in.as<uint8_t>(), in.shape.volume(), factor, addend);
#endif
  in_float_blocks(out, in, done, [=](float* to, const float* from, int64_t count) {
    run_wide([=]() PENSTOCK_INLINE {
      for (int64_t i = 0; i < count; ++i) to[i] = from[i] * factor + addend;
    });
  });
}

}  // namespace penstock
