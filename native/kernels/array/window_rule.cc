#include "kernels/array/window_rule.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace penstock {
namespace {

// Larger windows cannot be meant, and their volume must stay a 64-bit number.
constexpr double kLargest = std::numeric_limits<int32_t>::max();

Box whole(const Shape& shape) {
  Box window{shape, shape};
  for (int axis = 0; axis < shape.ndim; ++axis) window.anchor[axis] = 0;
  return window;
}

std::string number_text(double value) {
  std::string digits = std::to_string(value);
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

double in_pixels(double value, Unit unit, int64_t size) {
  switch (unit) {
    case Unit::pixels:
      return value;
    case Unit::share:
      return static_cast<float>(value) * static_cast<float>(size);
    default:
      return value * static_cast<double>(size);
  }
}

void require_countable(const char* what, double value) {
  if (!(std::abs(value) <= kLargest))
    throw std::runtime_error(std::string(what) + " value out of range: " + number_text(value) +
                             " is beyond 2147483647");
}

void require_count(size_t values, size_t axes) {
  if (values > 1 && values != axes)
    throw std::runtime_error("a region of " + std::to_string(axes) + " axes cannot have bounds of " +
                             std::to_string(values) + " values");
}

/// Bound k of a sample; 0 where there is none.
double value_at(const SliceRule::Bound& bound, size_t sample, size_t k) {
  const size_t width = bound.values.width();
  return width ? bound.values[sample][width == 1 ? 0 : k] : 0;
}

int checked_axis(int64_t axis, const Shape& shape) {
  if (axis < -shape.ndim || axis >= shape.ndim)
    throw std::runtime_error("Axis " + std::to_string(axis) + " out of range. Expected range is [" +
                             std::to_string(-shape.ndim) + ", " + std::to_string(shape.ndim - 1) + "] for a " +
                             std::to_string(shape.ndim) + "D input");
  return static_cast<int>(axis < 0 ? axis + shape.ndim : axis);
}

/// The axes of a sample, counted from the front, none of them twice.
std::array<int, kMaxDims> checked_axes(const PerSampleRows<int32_t>& rows, size_t sample, const Shape& shape) {
  std::array<int, kMaxDims> axes{};
  unsigned seen = 0;
  for (size_t k = 0; k < rows.width(); ++k) {
    axes[k] = checked_axis(rows[sample][k], shape);
    if (seen >> axes[k] & 1)
      throw std::runtime_error("Axis index " + std::to_string(axes[k]) + " occurs more than once in `axes`");
    seen |= 1u << axes[k];
  }
  return axes;
}

}  // namespace

std::function<Rect(size_t, int64_t, int64_t)> image_window(std::shared_ptr<const WindowRule> rule) {
  return [rule = std::move(rule)](size_t sample, int64_t height, int64_t width) {
    const Box w = rule->window(sample, Shape{3, {height, width, 1}});
    return Rect{w.anchor[0], w.anchor[1], w.extent[0], w.extent[1]};
  };
}

Box CropRule::window(size_t sample, const Shape& shape) const {
  Box window = whole(shape);
  for (const Axis& a : axes_) {
    const double size = a.size[sample];
    if (!(size >= 0 && size <= kLargest))
      throw std::runtime_error("a window of " + number_text(size) + " pixels along axis " + std::to_string(a.axis) +
                               " cannot be cropped; 0 means the whole axis");
    if (size < 1) continue;
    const double position = a.position[sample];
    if (!(position >= 0 && position <= 1))
      throw std::runtime_error("Anchor for dimension " + std::to_string(a.axis) + " (" + std::to_string(position) +
                               ") is out of range [0.0, 1.0]");
    const int64_t extent = static_cast<int64_t>(size);
    const double anchor = position * static_cast<double>(shape[a.axis] - extent);
    window.extent[a.axis] = extent;
    window.anchor[a.axis] = static_cast<int64_t>(truncates_ ? std::trunc(anchor) : std::round(anchor));
  }
  return window;
}

bool CropRule::sizes_are_alike() const {
  return std::all_of(axes_.begin(), axes_.end(), [](const Axis& axis) { return axis.size.size() == 1; });
}

bool CropRule::takes_all() const {
  return std::all_of(axes_.begin(), axes_.end(),
                     [](const Axis& axis) { return axis.size.size() == 1 && axis.size[0] >= 0 && axis.size[0] < 1; });
}

Box SliceRule::window(size_t sample, const Shape& shape) const {
  Box window = whole(shape);
  const size_t count = all_axes_ ? shape.ndim : axes_.width();
  require_count(bounds_.start.values.width(), count);
  require_count(bounds_.end.values.width(), count);
  const auto& [start, end, end_is_extent] = bounds_;
  // Two named shares are added before they are rounded to single precision, all others after.
  const bool exact = end_is_extent && start.unit == Unit::share && end.unit == Unit::share;
  std::array<int, kMaxDims> axes{0, 1, 2, 3, 4, 5, 6, 7};
  if (!all_axes_) axes = checked_axes(axes_, sample, shape);
  for (size_t k = 0; k < count; ++k) {
    const int64_t size = shape[axes[k]];
    const double first = value_at(start, sample, k), last = value_at(end, sample, k);
    const double from = in_pixels(first, start.unit, size);
    double to = static_cast<double>(size);
    if (end.values.width()) {
      to = in_pixels(last, exact ? Unit::exact_share : end.unit, size);
      if (end_is_extent && !(to >= 0))
        throw std::runtime_error("negative shapes are not allowed. Got: " + number_text(last));
      if (end_is_extent) to = std::max(from, to + (exact ? in_pixels(first, Unit::exact_share, size) : from));
    }
    require_countable("anchor", from);
    require_countable("end", to);
    if (to < from)
      throw std::runtime_error("end coordinates can't be before start coordinates. Got: start=" + number_text(from) +
                               " end=" + number_text(to));
    window.anchor[axes[k]] = static_cast<int64_t>(std::round(from));
    window.extent[axes[k]] = static_cast<int64_t>(std::round(to)) - window.anchor[axes[k]];
  }
  return window;
}

Box PadRule::window(size_t sample, const Shape& shape) const {
  Box window = whole(shape);
  const std::array<int, kMaxDims> axes = checked_axes(axes_, sample, shape);
  for (size_t k = 0; k < axes_.width(); ++k) {
    const int64_t align = align_[sample][k];
    if (align < 1)
      throw std::runtime_error("Values of `align` argument must be positive, got " + std::to_string(align));
    const int64_t least = std::max<int64_t>(shape[axes[k]], extent_[sample][k]);
    window.extent[axes[k]] = (least + align - 1) / align * align;
  }
  return window;
}

}  // namespace penstock
