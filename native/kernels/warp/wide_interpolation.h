// Cubic and Lanczos interpolation: one pixel of 4 x 4 or 6 x 6. Included by the samplers only.
#pragma once

#include <cmath>
#include <numbers>

#include "kernels/warp/border_pixel.h"

namespace penstock {

/// Weights of the pixels around a place that is `share` beyond the last one before it: of four for a cubic, of six for
/// a windowed sinc.
template <int kTaps>
[[gnu::noinline]] void wide_weights(float (&weights)[kTaps], float share) {
  if constexpr (kTaps == 4) {
    constexpr float kSlope = -0.75f;
    const auto inner = [](float d) { return ((kSlope + 2) * d - (kSlope + 3)) * d * d + 1; };
    const auto outer = [](float d) { return ((kSlope * d - 5 * kSlope) * d + 8 * kSlope) * d - 4 * kSlope; };
    weights[0] = outer(share + 1);
    weights[1] = inner(share);
    weights[2] = inner(1 - share);
    weights[3] = outer(2 - share);
  } else {
    const auto sinc = [](float d) {
      const float angle = std::numbers::pi_v<float> * d;
      return std::abs(d) < 1e-4f ? 1 : std::sin(angle) / angle;
    };
    float sum = 0;
    for (int k = 0; k < kTaps; ++k) {
      const float d = share - static_cast<float>(k - (kTaps / 2 - 1));
      sum += weights[k] = sinc(d) * sinc(d / (kTaps / 2));
    }
    for (float& weight : weights) weight /= sum;
  }
}

/// Places are moved into the image, or so near that taps around it count, before they become whole numbers.
template <int kTaps, typename In, typename Out>
void put_wide(const SampledImage& image, Out* out, float x, float y) {
  const bool shows_fill = image.border == Border::pad;
  const float reach = shows_fill ? kTaps : 0;
  const bool is_near = x > -reach && y > -reach && x < static_cast<float>(image.width) + reach &&
                       y < static_cast<float>(image.height) + reach;
  if (shows_fill && !is_near) return put_fill(image, out, 1);
  const float px = placed(x - 0.5f, image.width, image.border), py = placed(y - 0.5f, image.height, image.border);
  const int64_t left = whole(px) - (kTaps / 2 - 1), top = whole(py) - (kTaps / 2 - 1);
  float across[kTaps], down[kTaps];
  wide_weights(across, px - std::floor(px));
  wide_weights(down, py - std::floor(py));
  const In* taps[kTaps * kTaps];
  for (int k = 0; k < kTaps * kTaps; ++k) taps[k] = pixel_or_fill<In>(image, left + k % kTaps, top + k / kTaps);
  for (int64_t c = 0; c < image.channels; ++c) {
    float sum = 0;
    for (int row = 0; row < kTaps; ++row) {
      float line = 0;
      for (int k = 0; k < kTaps; ++k) {
        const In* tap = taps[row * kTaps + k];
        line += across[k] * (tap ? static_cast<float>(tap[c]) : image.fill[c]);
      }
      sum += down[row] * line;
    }
    out[c] = rounded<Out>(sum);
  }
}

}  // namespace penstock
