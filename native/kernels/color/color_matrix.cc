#include "kernels/color/color_matrix.h"

#include <algorithm>
#include <cmath>

#include "cpu/vectorize.h"
#include "kernels/bytes/stream.h"
#include "kernels/color/color_matrix_x86.h"
#include "kernels/color/linear_colors_neon.h"
#include "kernels/elements/float_blocks.h"

namespace penstock {
namespace {

struct Map {
  float row[3][4];
};

void on_floats(float* to, const float* from, int64_t n, Map map) {
  run_wide([=]() PENSTOCK_INLINE {
    for (int64_t i = 0; i < n; i += 3) {
      const float a = from[i], b = from[i + 1], c = from[i + 2];
      for (int k = 0; k < 3; ++k) {
        const float* m = map.row[k];
        to[i + k] = m[0] * a + m[1] * b + m[2] * c + m[3];
      }
    }
  });
}

[[maybe_unused]] bool stays_below(float limit, const ColorMap& map) {
  return std::all_of(std::begin(map), std::end(map), [=](const float(&m)[4]) {
    return 255 * (std::abs(m[0]) + std::abs(m[1]) + std::abs(m[2])) + std::abs(m[3]) < limit;
  });
}

/// Returns how many of the pixels were done.
int64_t on_bytes([[maybe_unused]] uint8_t* to, [[maybe_unused]] const uint8_t* from, [[maybe_unused]] int64_t pixels,
                 [[maybe_unused]] const ColorMap& map, [[maybe_unused]] bool past_caches) {
  int64_t done = 0;
#ifdef PENSTOCK_X86
  if (kHasAvx512Vnni && stays_below(32000, map)) {
    done = map_bytes_vbmi(to, from, pixels, map, past_caches);
    if (past_caches) finish_streams();
  }
  if (kHasAvx2 && done == 0 && stays_below(1e9f, map))
    done = (kHasAvx512 ? map_bytes_avx512 : map_bytes_avx2)(to, from, pixels, map);
#endif
#ifdef PENSTOCK_NEON
  done = map_bytes_neon(to, from, pixels, map);
#endif
  return done;
}

}  // namespace

void map_colors(View out, ConstView in, const ColorMap& map, bool past_caches) {
  int64_t done = 0;
  if (in.dtype == DType::u8 && out.dtype == DType::u8)
    done = on_bytes(out.as<uint8_t>(), in.as<uint8_t>(), in.shape.volume() / 3, map, past_caches);
  Map copy;
  std::copy_n(&map[0][0], 12, &copy.row[0][0]);
  in_float_blocks(out, in, 3 * done,
                  [&](float* to, const float* from, int64_t count) { on_floats(to, from, count, copy); });
}

}  // namespace penstock
