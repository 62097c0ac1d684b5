// Coordinates turned into offsets in memory, before any pixel is read. Included by the samplers only.
#pragma once

#include "kernels/warp/sampler.h"

namespace penstock {

/// What stands for an offset where the border rule decides the pixel, and where it is the fill value.
constexpr int32_t kAtEdge = -1, kAllFill = -2;

/// Where n pixels are: the element each begins with, or one of the above, and for linear interpolation how far it is
/// from there to the next pixel and to the next row.
template <typename Offset>
struct SampleOffsets {
  Offset offset[kSampleBlock];
  float across[kSampleBlock], down[kSampleBlock];
};

/// For the nearest pixel. With an `edge` border all places are inside. Offsets beyond `last` are left to the border
/// too, for kernels that read more than they use. Offsets of 32 bits are for images that have no more elements, and are
/// faster.
void locate_nearest(SampleOffsets<int32_t>& offsets, const SampledImage& image, const float* x, const float* y, int n,
                    int64_t last);
void locate_nearest(SampleOffsets<int64_t>& offsets, const SampledImage& image, const float* x, const float* y, int n,
                    int64_t last);

/// For linear interpolation.
void locate_linear(SampleOffsets<int32_t>& offsets, const SampledImage& image, const float* x, const float* y, int n,
                   int64_t last);
void locate_linear(SampleOffsets<int64_t>& offsets, const SampledImage& image, const float* x, const float* y, int n,
                   int64_t last);

/// Calls inside(from, to) for runs of places inside the image, fill(from, to) for those that show the fill value, and
/// edge(i) for the others.
template <typename Offset, typename Inside, typename Fill, typename Edge>
void for_runs(const SampleOffsets<Offset>& offsets, int n, const Inside& inside, const Fill& fill, const Edge& edge) {
  const Offset* offset = offsets.offset;
  for (int from = 0, i = 0; i < n; from = i) {
    while (i + 4 <= n && (offset[i] | offset[i + 1] | offset[i + 2] | offset[i + 3]) >= 0) i += 4;
    while (i < n && offset[i] >= 0) ++i;
    if (i > from) inside(from, i);
    for (from = i; i < n && offset[i] == kAllFill;) ++i;
    if (i > from) fill(from, i);
    for (; i < n && offset[i] == kAtEdge; ++i) edge(i);
  }
}

}  // namespace penstock
