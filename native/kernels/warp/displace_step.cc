#include "kernels/warp/displace_step.h"

#include <algorithm>
#include <cmath>

#include "cpu/vectorize.h"
#include "kernels/random/draws.h"

namespace penstock {

void Water::draw(size_t, const Canvas& canvas, Scratch& scratch) const {
  const int64_t width = canvas.size().width;
  auto* lift = scratch.array<float>(kStepFactors, static_cast<size_t>(width));
  for (int64_t x = 0; x < width; ++x)
    lift[x] = down_.amplitude * std::cos(down_.frequency * static_cast<float>(x) + down_.phase);
  canvas.draw([lift, across = across_](float* xs, float* ys, int64_t x, int64_t y, int n) {
    const auto row = static_cast<float>(y);
    const float shift = across.amplitude * std::sin(across.frequency * row + across.phase);
    for (int i = 0; i < n; ++i) xs[i] = static_cast<float>(x + i) + shift;
    for (int i = 0; i < n; ++i) ys[i] = row + lift[x + i];
  });
}

void Sphere::draw(size_t, const Canvas& canvas, Scratch&) const {
  const auto [height, width] = canvas.size();
  const float middle_x = static_cast<float>(width) / 2, middle_y = static_cast<float>(height) / 2;
  const auto radius = static_cast<float>(std::max<int64_t>(std::max(width, height) / 2, 1));
  canvas.draw([=](float* xs, float* ys, int64_t x, int64_t y, int n) {
    const float left = static_cast<float>(x) + 0.5f - middle_x, down = static_cast<float>(y) + 0.5f - middle_y;
    run_wide([=]() PENSTOCK_INLINE {
      for (int i = 0; i < n; ++i) {
        const float across = left + static_cast<float>(i);
        const float share = std::sqrt(across * across + down * down) / radius;
        xs[i] = middle_x + share * across;
        ys[i] = middle_y + share * down;
      }
    });
  });
}

void JitterShifts::draw(float* across, float* down, size_t sample, int64_t first, int n) const {
  static_assert(kSampleBlock <= kDrawTile);
  uint32_t tile[2 * kDrawTile];
  PhiloxTiles(Philox::of_sample(words, sample)).read(tile, first, n, 2);
  const auto shift = [reach = reach](uint32_t word) {
    return static_cast<float>(static_cast<int64_t>(share(word, 2 * reach + 1)) - reach);
  };
  for (int i = 0; i < n; ++i) across[i] = shift(tile[i]);
  for (int i = 0; i < n; ++i) down[i] = shift(tile[kDrawTile + i]);
}

void Jitter::draw(size_t sample, const Canvas& canvas, Scratch&) const {
  canvas.draw([&, width = canvas.size().width](float* xs, float* ys, int64_t x, int64_t y, int n) {
    shifts_.draw(xs, ys, sample, y * width + x, n);
    for (int i = 0; i < n; ++i) xs[i] += static_cast<float>(x + i) + 0.5f;
    for (int i = 0; i < n; ++i) ys[i] += static_cast<float>(y) + 0.5f;
  });
}

}  // namespace penstock
