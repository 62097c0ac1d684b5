#include "kernels/array/extract_step.h"

#include <stdexcept>
#include <string>

#include "memory/shape_text.h"

namespace penstock {

Box fitted(Box window, const Shape& shape, Border border) {
  for (int axis = 0; axis < shape.ndim; ++axis) {
    int64_t& anchor = window.anchor[axis];
    int64_t& extent = window.extent[axis];
    if (!reaches_out(anchor, extent, shape[axis])) continue;
    if (border == Border::error)
      throw std::runtime_error(
          "Slice can't be placed out of bounds with current policy. Got: input_shape=" + braced_text(shape) +
          ", slice_anchor=" + braced_text(window.anchor) + ", slice_shape=" + braced_text(window.extent) +
          "; out_of_bounds_policy=\"pad\" would fill the rest");
    if (border >= Border::edge && shape[axis] == 0)
      throw std::runtime_error("an input of shape " + braced_text(shape) + " has no pixels to repeat beyond its edges");
    if (border == Border::trim) {
      const int64_t low = std::clamp<int64_t>(anchor, 0, shape[axis]);
      extent = std::clamp<int64_t>(anchor + extent, low, shape[axis]) - low;
      anchor = low;
    }
  }
  return window;
}

AxisMaps map_window(const Box& window, const Shape& shape, Border border, int mirrored_axis, Scratch& scratch) {
  AxisMaps maps;
  int64_t* table = nullptr;
  if (border >= Border::edge) {
    int64_t positions = 0;
    for (int axis = 0; axis < shape.ndim; ++axis) positions += window.extent[axis];
    table = scratch.array<int64_t>(kStepTables, positions);
  }
  for (int axis = 0; axis < shape.ndim; ++axis) {
    const int64_t extent = window.extent[axis];
    maps[axis] = map_axis(shape[axis], window.anchor[axis], extent, border, axis == mirrored_axis, table);
    if (table) table += extent;
  }
  return maps;
}

Spec Extract::infer(size_t sample, const Spec& in, ConstView) const {
  const Box window = fitted(rule_->window(sample, in.shape), in.shape, options_.border);
  const int64_t values = static_cast<int64_t>(options_.fill.width());
  if (values > 1 && options_.border == Border::pad && values != window.extent[options_.channel_axis])
    throw std::runtime_error(
        "Multi-channel fill value does not match the number of channels in the output: " + std::to_string(values) +
        " values for " + std::to_string(window.extent[options_.channel_axis]) + " channels");
  return {options_.dtype, window.extent};
}

void Extract::run(size_t sample, View out, ConstView in, Scratch& scratch) const {
  const Box window = fitted(rule_->window(sample, in.shape), in.shape, options_.border);
  const int64_t item = item_bytes(out.dtype);
  const int64_t values = static_cast<int64_t>(options_.fill.width());
  std::byte* elements = scratch.bytes(kStepTemp, values * item);
  for (int64_t k = 0; k < values; ++k) put_clamped(elements + k * item, out.dtype, options_.fill[sample][k]);
  const FillValues fill{elements, values, options_.channel_axis};
  extract(out, in, map_window(window, in.shape, options_.border, -1, scratch), fill,
          clamping_conversion(out.dtype, in.dtype), scratch.past_caches);
}

}  // namespace penstock
