// One pixel at or beyond the border, which a border rule decides. Included by the samplers only.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/elements/convert.h"
#include "kernels/warp/sampler.h"

namespace penstock {

/// A coordinate as the border has it: at the edge where that goes on, else what no image reaches, and NaN, taken for 0.
inline float placed(float value, int64_t extent, Border border) {
  constexpr float kFar = 64.0f * kMaxSampledExtent;
  if (border == Border::edge) return within(value, static_cast<float>(extent - 1));
  return std::abs(value) <= kFar ? value : 0;
}

inline int64_t whole(float placed) { return static_cast<int64_t>(std::floor(placed)); }

/// The pixel in that row and column; null where there is none and the fill value is shown.
template <typename In>
const In* pixel_or_fill(const SampledImage& image, int64_t x, int64_t y) {
  const bool outside = x < 0 || x >= image.width || y < 0 || y >= image.height;
  if (outside && image.border == Border::pad) return nullptr;
  if (outside) {
    x = repeated(x, image.width, image.border);
    y = repeated(y, image.height, image.border);
  }
  return reinterpret_cast<const In*>(image.data) + (y * image.width + x) * image.channels;
}

// The functions that write are not inlined: they would be compiled once more for each number of channels.

/// n pixels of nothing but the fill value.
template <typename Out>
[[gnu::noinline]] void put_fill(const SampledImage& image, Out* out, int n) {
  const int64_t pixel = image.channels;
  for (int64_t c = 0; c < pixel; ++c) out[c] = rounded<Out>(image.fill[c]);
  for (int done = 1; done < n; done *= 2)
    std::memcpy(out + done * pixel, out, std::min(done, n - done) * pixel * sizeof(Out));
}

/// The nearest pixel as a border repeats it, which is not `pad`.
template <typename In, typename Out>
[[gnu::noinline]] void put_nearest_edge(const SampledImage& image, Out* out, float x, float y) {
  const float px = placed(x, image.width, image.border), py = placed(y, image.height, image.border);
  const In* pixel = pixel_or_fill<In>(image, whole(px), whole(py));
  for (int64_t c = 0; c < image.channels; ++c) out[c] = rounded<Out>(pixel[c]);
}

template <typename In, typename Out>
[[gnu::noinline]] void put_linear_edge(const SampledImage& image, Out* out, float x, float y) {
  const float px = placed(x - 0.5f, image.width, image.border), py = placed(y - 0.5f, image.height, image.border);
  const int64_t left = whole(px), top = whole(py);
  const float across = px - std::floor(px), down = py - std::floor(py);
  const In* corners[4];
  for (int k = 0; k < 4; ++k) corners[k] = pixel_or_fill<In>(image, left + k % 2, top + k / 2);
  for (int64_t c = 0; c < image.channels; ++c) {
    float v[4];
    for (int k = 0; k < 4; ++k) v[k] = corners[k] ? static_cast<float>(corners[k][c]) : image.fill[c];
    const float upper = v[0] + (v[1] - v[0]) * across, lower = v[2] + (v[3] - v[2]) * across;
    out[c] = rounded<Out>(upper + (lower - upper) * down);
  }
}

}  // namespace penstock
