#include "kernels/array/extract_step.h"

#include <stdexcept>
#include <string>

#include "kernels/bytes/copy_row.h"
#include "memory/shape_text.h"

namespace penstock {
namespace {

bool lies_inside(const Box& window, const Shape& shape) {
  for (int axis = 0; axis < shape.ndim; ++axis)
    if (reaches_out(window.anchor[axis], window.extent[axis], shape[axis])) return false;
  return true;
}

// Copies a window inside of `in`, whose rows go down to `axis`: the first from the end that is not taken whole.
void copy_rows(std::byte*& out, const std::byte* in, const Box& window, const Shape& shape, int axis, int innermost,
               int64_t item) {
  const int64_t inner = shape.volume(axis + 1, shape.ndim) * item;
  in += window.anchor[axis] * inner;
  if (axis == innermost) {
    const int64_t bytes = window.extent[axis] * inner;
    copy_row(out, in, bytes);
    out += bytes;
    return;
  }
  if (axis + 1 == innermost) {
    const int64_t within = shape.volume(innermost + 1, shape.ndim) * item;
    const int64_t bytes = window.extent[innermost] * within;
    in += window.anchor[innermost] * within;
    for (int64_t k = 0; k < window.extent[axis]; ++k, in += inner, out += bytes) copy_row(out, in, bytes);
    return;
  }
  for (int64_t k = 0; k < window.extent[axis]; ++k, in += inner)
    copy_rows(out, in, window, shape, axis + 1, innermost, item);
}

}  // namespace

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

AxisMaps map_window(const Box& window, const Part& part, Border border, int mirrored_axis, Scratch& scratch) {
  AxisMaps maps;
  int64_t* table = nullptr;
  if (border >= Border::edge) {
    int64_t positions = 0;
    for (int axis = 0; axis < part.ndim; ++axis) positions += window.extent[axis];
    table = scratch.array<int64_t>(kStepTables, positions);
  }
  for (int axis = 0; axis < part.ndim; ++axis) {
    const int64_t extent = window.extent[axis];
    const Part::Axis& whole = part.axes[axis];
    AxisMap& map = maps[axis];
    map = map_axis(whole.extent, window.anchor[axis], extent, border, axis == mirrored_axis, table);
    map.first = whole.first + whole.step * map.first;
    map.step *= whole.step;
    if (map.table)
      for (int64_t k = 0; k < extent; ++k) table[k] = whole.first + whole.step * table[k];
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
  if (out.dtype == in.dtype && !scratch.past_caches && in.shape.ndim > 0 && lies_inside(window, in.shape)) {
    if (out.shape.volume() == 0) return;
    int innermost = in.shape.ndim - 1;
    while (innermost > 0 && window.extent[innermost] == in.shape[innermost]) --innermost;
    copy_rows(out.data, in.data, window, in.shape, 0, innermost, item);
    return;
  }
  const int64_t values = static_cast<int64_t>(options_.fill.width());
  std::byte* elements = scratch.bytes(kStepTemp, values * item);
  for (int64_t k = 0; k < values; ++k) put_clamped(elements + k * item, out.dtype, options_.fill[sample][k]);
  const FillValues fill{elements, values, options_.channel_axis};
  extract(out, in, map_window(window, Part(in.shape), options_.border, -1, scratch), fill,
          clamping_conversion(out.dtype, in.dtype), scratch.past_caches);
}

bool Extract::narrow(size_t sample, DType dtype, Part& part) const {
  if (dtype != options_.dtype) return false;
  const Shape shape = part.shape();
  const Box window = fitted(rule_->window(sample, shape), shape, options_.border);
  if (!lies_inside(window, shape)) return false;
  for (int axis = 0; axis < part.ndim; ++axis) part.narrow(axis, window.anchor[axis], window.extent[axis]);
  return true;
}

}  // namespace penstock
