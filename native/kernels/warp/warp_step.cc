#include "kernels/warp/warp_step.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

#include "cpu/prefetch.h"

namespace penstock {
namespace {

// Images up to this are fetched whole before their pixels are taken here and there: from memory, one line after the
// other takes a fraction of the time. Larger ones do not stay in the second-level cache.
constexpr int64_t kFetchedBytes = 1 << 20;
// A row of the result reads a line of the cache for each of its pixels at most, in a turned image. From here on they
// begin to push each other out: 4000 pixels turned by 30 degrees take 1.5 times as long as in strips, while up to 2000
// strips take up to 1.9 times as long.
constexpr int64_t kWidestRow = 2048;

Shape as_hwc(const Shape& shape, int channel_axis) {
  if (channel_axis == 0) return {3, {shape[1], shape[2], 1}};
  return {3, {shape[0], shape[1], channel_axis < 0 ? 1 : shape[2]}};
}

int64_t channels_of(const Shape& shape, int channel_axis) { return channel_axis < 0 ? 1 : shape[channel_axis]; }

void require_sampled(const Shape& hwc) {
  const int64_t largest = std::max(hwc[0], hwc[1]);
  require_warpable(
      largest <= kMaxSampledExtent,
      std::to_string(largest) + " pixels in a row are too many; the limit is " + std::to_string(kMaxSampledExtent));
}

}  // namespace

Spec Warp::infer(size_t sample, const Spec& in, ConstView) const {
  const int channel_axis = options_.channel_axis;
  const int64_t channels = channels_of(in.shape, channel_axis);
  const Shape shape = as_hwc(in.shape, channel_axis);
  require_sampled(shape);
  const bool is_given = options_.size.width() > 0;
  const Extents size =
      is_given ? Extents{options_.size[sample][0], options_.size[sample][1]} : canvas(sample, {shape[0], shape[1]});
  const double area = static_cast<double>(size.height) * static_cast<double>(size.width);
  const double volume = area * static_cast<double>(channels);
  require_warpable(volume < 1e12, "the result would have " + std::to_string(volume) + " elements; give a smaller size");
  const bool is_empty = shape[0] == 0 || shape[1] == 0;
  require_warpable(!is_empty || volume == 0 || options_.border == Border::pad,
                   "an empty image has no edge to show; give a fill value or an empty size");
  const size_t fills = options_.fill.size();
  require_warpable(
      fills == 1 || static_cast<int64_t>(fills) == channels,
      "Number of values provided as a fill_value should match the number of channels. Number of channels: " +
          std::to_string(channels) + ". Number of values provided: " + std::to_string(fills) + ".");
  Spec out{options_.dtype, in.shape};
  const int first = channel_axis == 0 ? 1 : 0;
  out.shape[first] = size.height;
  out.shape[first + 1] = size.width;
  return out;
}

void Warp::run(size_t sample, View out, ConstView in, Scratch& scratch) const {
  if (out.shape.volume() == 0) return;
  if (passes(sample)) {
    std::memcpy(out.data, in.data, static_cast<size_t>(in.bytes()));
    return;
  }
  const int64_t planes = options_.channel_axis == 0 ? in.shape[0] : 1;
  const int64_t channels = channels_of(in.shape, options_.channel_axis);
  auto* fill = scratch.array<float>(kStepTables, static_cast<size_t>(channels));
  const bool fills_alike = options_.fill.size() == 1;
  for (int64_t c = 0; c < channels; ++c) fill[c] = options_.fill[fills_alike ? 0 : c];
  const View to{out.data, out.dtype, as_hwc(out.shape, options_.channel_axis)};
  const ConstView from{in.data, in.dtype, as_hwc(in.shape, options_.channel_axis)};
  for (int64_t k = 0; k < planes; ++k)
    draw_plane(sample, {to.data + k * to.bytes(), to.dtype, to.shape},
               {from.data + k * from.bytes(), from.dtype, from.shape}, fill + (planes > 1 ? k : 0), scratch);
}

void Warp::draw_plane(size_t sample, View out, ConstView in, const float* fill, Scratch& scratch) const {
  const bool stays_cached = in.bytes() <= kFetchedBytes;
  if (stays_cached && in.bytes() <= 2 * out.bytes()) prefetch_row(in.data, in.bytes());
  const SampledImage image{in.data, in.shape[0], in.shape[1], in.shape[2], options_.border, fill};
  const bool by_rows = stays_cached || out.shape[1] <= kWidestRow;
  draw(sample, Canvas(out, image, sampler(out.dtype, in, options_.lookup), by_rows), scratch);
}

}  // namespace penstock
