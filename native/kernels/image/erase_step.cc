#include "kernels/image/erase_step.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "kernels/elements/convert.h"

namespace penstock {
namespace {

/// The whole part of a bound, inside the axis.
int64_t bound(float value, int64_t extent) {
  if (!(value > 0)) return 0;
  return value < static_cast<float>(extent) ? std::min(static_cast<int64_t>(value), extent) : extent;
}

}  // namespace

Spec Erase::infer(size_t sample, const Spec& in, ConstView) const {
  const size_t anchors = arguments_.anchor[sample].size(), shapes = arguments_.shape[sample].size();
  if (anchors != shapes || anchors % arguments_.axes.size() != 0)
    throw std::runtime_error("`anchor` and `shape` need a value for every region and axis, got " +
                             std::to_string(anchors) + " and " + std::to_string(shapes) + " for " +
                             std::to_string(arguments_.axes.size()) + " axes");
  const auto values = static_cast<int64_t>(arguments_.fill.width());
  if (values > 1 && values != in.shape[arguments_.channel_axis])
    throw std::runtime_error(
        "Multi-channel fill value does not match the number of channels in the input: " + std::to_string(values) +
        " values for " + std::to_string(in.shape[arguments_.channel_axis]) + " channels");
  return in;
}

Region Erase::region(const float* anchor, const float* shape, const Shape& whole) const {
  Region region{whole, whole};
  region.begin.extent.fill(0);
  for (size_t k = 0; k < arguments_.axes.size(); ++k) {
    const int axis = arguments_.axes[k];
    const auto unit = static_cast<float>(whole[axis]);
    const float size = arguments_.shape_is_share ? shape[k] * unit : shape[k];
    float from = arguments_.anchor_is_share ? anchor[k] * unit : anchor[k];
    if (arguments_.centered) from -= size * 0.5f;
    region.begin[axis] = bound(from, whole[axis]);
    region.end[axis] = bound(from + size, whole[axis]);
  }
  return region;
}

void Erase::run(size_t sample, View out, ConstView in, Scratch& scratch) const {
  const auto anchor = arguments_.anchor[sample], shape = arguments_.shape[sample];
  std::vector<Region> regions;
  for (size_t k = 0; k < anchor.size(); k += arguments_.axes.size())
    regions.push_back(region(anchor.data() + k, shape.data() + k, out.shape));
  const int64_t item = item_bytes(out.dtype);
  const auto values = static_cast<int64_t>(arguments_.fill.width());
  std::byte* elements = scratch.bytes(kStepTemp, values * item);
  for (int64_t k = 0; k < values; ++k) put_clamped(elements + k * item, out.dtype, arguments_.fill[sample][k]);
  erase(out, in, regions, {elements, values, arguments_.channel_axis});
}

}  // namespace penstock
