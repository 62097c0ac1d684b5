#include "kernels/warp/sample_offsets.h"

#include <algorithm>
#include <limits>

#include "cpu/newest.h"
#include "cpu/vectorize.h"

namespace penstock {
namespace {

template <typename Offset>
PENSTOCK_INLINE inline void nearest(SampleOffsets<Offset>& offsets, const SampledImage& image, const float* x,
                                    const float* y, int n, Offset last) {
  const auto width = static_cast<float>(image.width), height = static_cast<float>(image.height);
  const auto last_x = static_cast<int32_t>(image.width - 1), last_y = static_cast<int32_t>(image.height - 1);
  const auto channels = static_cast<Offset>(image.channels), row = static_cast<Offset>(image.width) * channels;
  const bool clamps = image.border == Border::edge;
  const Offset beyond = image.border == Border::pad ? kAllFill : kAtEdge;
  Offset* const offset = offsets.offset;
  for (int i = 0; i < n; ++i) {
    const bool inside = clamps | ((x[i] >= 0) & (x[i] < width) & (y[i] >= 0) & (y[i] < height));
    const int32_t left = static_cast<int32_t>(within(x[i], width)), top = static_cast<int32_t>(within(y[i], height));
    const Offset place = (top < last_y ? top : last_y) * row + (left < last_x ? left : last_x) * channels;
    offset[i] = inside ? (place <= last ? place : kAtEdge) : beyond;
  }
}

/// The last offset that 32 bits have room for, or an earlier one.
int32_t within_32_bits(int64_t last) {
  return static_cast<int32_t>(std::min<int64_t>(last, std::numeric_limits<int32_t>::max()));
}

template <typename Offset>
PENSTOCK_INLINE inline void linear(SampleOffsets<Offset>& offsets, const SampledImage& image, const float* x,
                                   const float* y, int n, Offset last) {
  const auto high_x = static_cast<float>(image.width - 1), high_y = static_cast<float>(image.height - 1);
  const auto last_x = static_cast<int32_t>(image.width > 1 ? image.width - 2 : 0);
  const auto last_y = static_cast<int32_t>(image.height > 1 ? image.height - 2 : 0);
  const auto channels = static_cast<Offset>(image.channels), row = static_cast<Offset>(image.width) * channels;
  const auto width = static_cast<float>(image.width), height = static_cast<float>(image.height);
  const bool clamps = image.border == Border::edge;
  const Offset beyond = image.border == Border::pad ? kAllFill : kAtEdge;
  Offset* const offset = offsets.offset;
  float *const across = offsets.across, *const down = offsets.down;
  // A pixel on the far edge lies at the end of the way from the one before it, so that both exist.
  for (int i = 0; i < n; ++i) {
    const float px = x[i] - 0.5f, py = y[i] - 0.5f;
    const bool inside = clamps | ((px >= 0) & (px <= high_x) & (py >= 0) & (py <= high_y));
    const float cx = within(px, high_x), cy = within(py, high_y);
    const int32_t ix = static_cast<int32_t>(cx), iy = static_cast<int32_t>(cy);
    const int32_t left = ix < last_x ? ix : last_x, top = iy < last_y ? iy : last_y;
    const Offset place = top * row + left * channels;
    across[i] = cx - static_cast<float>(left);
    down[i] = cy - static_cast<float>(top);
    const Offset outside = ((px > -1) & (px < width) & (py > -1) & (py < height)) ? kAtEdge : beyond;
    offset[i] = (inside & (place <= last)) ? place : outside;
  }
}

}  // namespace

void locate_nearest(SampleOffsets<int32_t>& offsets, const SampledImage& image, const float* x, const float* y, int n,
                    int64_t last) {
  newest<nearest<int32_t>>(offsets, image, x, y, n, within_32_bits(last));
}

void locate_nearest(SampleOffsets<int64_t>& offsets, const SampledImage& image, const float* x, const float* y, int n,
                    int64_t last) {
  nearest(offsets, image, x, y, n, last);
}

void locate_linear(SampleOffsets<int32_t>& offsets, const SampledImage& image, const float* x, const float* y, int n,
                   int64_t last) {
  newest<linear<int32_t>>(offsets, image, x, y, n, within_32_bits(last));
}

void locate_linear(SampleOffsets<int64_t>& offsets, const SampledImage& image, const float* x, const float* y, int n,
                   int64_t last) {
  linear(offsets, image, x, y, n, last);
}

}  // namespace penstock
