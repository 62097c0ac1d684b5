#include "kernels/warp/perspective_step.h"

#include <cmath>

#include "cpu/vectorize.h"

namespace penstock {

void PerspectiveWarp::draw(size_t sample, const Canvas& canvas, Scratch&) const {
  const float* m = matrices_[sample];
  const double origin = origin_;
  const auto shift = static_cast<float>(0.5 - origin);
  canvas.draw([=, grid = grid_](float* xs, float* ys, int64_t x, int64_t y, int n) {
    const double left = static_cast<double>(x) + origin, top = static_cast<double>(y) + origin;
    const auto first = [&](int row) { return static_cast<float>(m[row] * left + m[row + 1] * top + m[row + 2]); };
    const float x0 = first(0), y0 = first(3), w0 = first(6), dx = m[0], dy = m[3], dw = m[6];
    run_wide([=]() PENSTOCK_INLINE {
      for (int i = 0; i < n; ++i) {
        const auto step = static_cast<float>(i);
        const float scale = 1 / (w0 + dw * step);
        xs[i] = (x0 + dx * step) * scale + shift;
        ys[i] = (y0 + dy * step) * scale + shift;
      }
    });
    for (int i = 0; grid != 0 && i < n; ++i) {
      xs[i] = std::nearbyint((xs[i] - 0.5f) * grid) / grid + 0.5f;
      ys[i] = std::nearbyint((ys[i] - 0.5f) * grid) / grid + 0.5f;
    }
  });
}

}  // namespace penstock
