#include "kernels/resize/resize_rule.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace penstock {
namespace {

constexpr double kLargestExtent = 1 << 24;

// Less of a pixel than this is not told apart: the region it would be taken from grows without bounds.
constexpr double kSmallestExtent = 0.1;

// A narrower region of interest is widened by as much, like the reference does.
constexpr double kSmallestRegion = 1e-3;

const float* row(const std::vector<float>& rows, size_t axes, size_t sample) {
  return rows.data() + (rows.size() == axes ? 0 : sample * axes);
}

}  // namespace

ResizeRule::ResizeRule(size_t axes, std::vector<float> requested, ResizeMode mode, std::vector<float> max_size,
                       std::vector<float> region_start, std::vector<float> region_end, bool region_is_relative,
                       bool keep_scale_exact)
    : axes_(axes),
      requested_(std::move(requested)),
      mode_(mode),
      max_size_(std::move(max_size)),
      region_start_(std::move(region_start)),
      region_end_(std::move(region_end)),
      region_is_relative_(region_is_relative),
      keep_scale_exact_(keep_scale_exact) {
  const auto whole_rows = [&](const std::vector<float>& rows) { return rows.size() % axes_ == 0; };
  if (axes_ == 0 || axes_ > kMaxDims || requested_.empty() || !whole_rows(requested_) || !whole_rows(max_size_) ||
      !whole_rows(region_start_) || !whole_rows(region_end_) || region_start_.empty() != region_end_.empty())
    throw std::invalid_argument("sizes and regions need one value for each of the resized axes");
}

void ResizeRule::set_rounding(SizeRounding rounding, std::vector<float> alignment) {
  if (alignment.size() % axes_ != 0) throw std::invalid_argument("an alignment is needed for each of the resized axes");
  rounding_ = rounding;
  alignment_ = std::move(alignment);
}

void ResizeRule::set_crop(std::shared_ptr<const WindowRule> crop, PerSample<int32_t> mirror) {
  crop_ = std::move(crop);
  mirror_ = std::move(mirror);
}

void ResizeRule::apply(size_t sample, const Shape& shape, const std::vector<int>& axes, AxisTarget* targets) const {
  read_region(sample, shape, axes, targets);
  double in[kMaxDims], out[kMaxDims];
  for (size_t a = 0; a < axes_; ++a) in[a] = std::abs(targets[a].hi - targets[a].lo);
  wanted_sizes(sample, shape, axes, in, out);
  for (size_t a = 0; a < axes_; ++a) {
    AxisTarget& target = targets[a];
    const double wanted = std::abs(out[a]);
    if (!(wanted <= kLargestExtent))
      throw std::invalid_argument("an output extent of " + std::to_string(wanted) + " pixels is not possible");
    target.size = shape[axes[a]] == 0 ? 0 : rounded(wanted);
    if (keep_scale_exact_ && wanted > 0 && static_cast<double>(target.size) != wanted) {
      const double ratio = static_cast<double>(target.size) / std::max(wanted, kSmallestExtent);
      const double share = alignment_.empty() ? 0.5 : row(alignment_, axes_, sample)[a];
      const double fixed = target.lo + (target.hi - target.lo) * share;
      target.lo = fixed + (target.lo - fixed) * ratio;
      target.hi = fixed + (target.hi - fixed) * ratio;
    }
    if (out[a] < 0) std::swap(target.lo, target.hi);
  }
  if (crop_) crop(sample, shape, axes, targets);
}

int64_t ResizeRule::rounded(double wanted) const {
  const auto whole = rounding_ == SizeRounding::nearest
                         ? std::llround(wanted)
                         : std::llround(rounding_ == SizeRounding::up ? std::ceil(wanted) : std::floor(wanted));
  return std::max<int64_t>(1, whole);
}

// The part of the output is a part of the region: nothing else is ever computed.
void ResizeRule::crop(size_t sample, const Shape& shape, const std::vector<int>& axes, AxisTarget* targets) const {
  Shape resized = shape;
  for (size_t a = 0; a < axes_; ++a) resized[axes[a]] = targets[a].size;
  const Box window = crop_->window(sample, resized);
  for (size_t a = 0; a < axes_; ++a) {
    AxisTarget& target = targets[a];
    if (target.size == 0) continue;
    const double scale = (target.hi - target.lo) / static_cast<double>(target.size), start = target.lo;
    const int64_t first = window.anchor[axes[a]];
    target.size = window.extent[axes[a]];
    target.lo = start + scale * static_cast<double>(first);
    target.hi = start + scale * static_cast<double>(first + target.size);
    if (mirror_[sample] >> (axes_ - 1 - a) & 1) std::swap(target.lo, target.hi);
  }
}

void ResizeRule::read_region(size_t sample, const Shape& shape, const std::vector<int>& axes,
                             AxisTarget* targets) const {
  if (window_) {
    const Box box = window_->window(sample, shape);
    for (size_t a = 0; a < axes_; ++a) {
      targets[a].lo = static_cast<double>(box.anchor[axes[a]]);
      targets[a].hi = static_cast<double>(box.anchor[axes[a]] + box.extent[axes[a]]);
    }
    return;
  }
  for (size_t a = 0; a < axes_; ++a) {
    const auto extent = static_cast<double>(shape[axes[a]]);
    targets[a].lo = 0;
    targets[a].hi = extent;
    if (region_start_.empty()) continue;
    const double unit = region_is_relative_ ? extent : 1.0;
    targets[a].lo = row(region_start_, axes_, sample)[a] * unit;
    targets[a].hi = row(region_end_, axes_, sample)[a] * unit;
    if (!std::isfinite(targets[a].lo) || !std::isfinite(targets[a].hi))
      throw std::invalid_argument("the region of interest must be finite");
    if (std::abs(targets[a].hi - targets[a].lo) < kSmallestRegion) {
      const double margin = std::copysign(kSmallestRegion / 2, targets[a].hi - targets[a].lo);
      targets[a].lo -= margin;
      targets[a].hi += margin;
    }
  }
}

void ResizeRule::wanted_sizes(size_t sample, const Shape& shape, const std::vector<int>& axes, const double* in,
                              double* out) const {
  const float* requested = row(requested_, axes_, sample);
  for (size_t a = 0; a < axes_; ++a) {
    if (!std::isfinite(requested[a])) throw std::invalid_argument("an output size must be a finite number");
    out[a] = requested_are_scales_ ? requested[a] * static_cast<float>(shape[axes[a]]) : requested[a];
  }
  if (mode_ == ResizeMode::not_larger || mode_ == ResizeMode::not_smaller)
    scale_alike(in, out);
  else
    fill_open(in, out);
}

// Extents nobody asked for keep the aspect ratio, or, when stretching, stay what they are.
void ResizeRule::fill_open(const double* in, double* out) const {
  double scale = 1;
  int given = 0;
  for (size_t a = 0; a < axes_; ++a)
    if (out[a] != 0 && in[a] != 0) {
      scale *= std::abs(out[a] / in[a]);
      ++given;
    }
  if (given > 1) scale = std::pow(scale, 1.0 / given);
  if (mode_ == ResizeMode::stretch) scale = 1;
  for (size_t a = 0; a < axes_; ++a) {
    if (out[a] == 0) out[a] = in[a] * scale;
    if (!max_size_.empty() && max_size_[a] > 0 && std::abs(out[a]) > max_size_[a])
      out[a] = std::copysign(max_size_[a], out[a]);
  }
}

// One scale for all axes: the smallest or the largest asked for, within max_size.
void ResizeRule::scale_alike(const double* in, double* out) const {
  double scale = 0;
  for (size_t a = 0; a < axes_; ++a) {
    if (out[a] == 0 || in[a] == 0) continue;
    const double mine = std::abs(out[a] / in[a]);
    const bool wins = mode_ == ResizeMode::not_larger ? mine < scale : mine > scale;
    if (scale == 0 || wins) scale = mine;
  }
  if (scale == 0) scale = 1;
  for (size_t a = 0; a < axes_; ++a)
    if (!max_size_.empty() && max_size_[a] > 0 && in[a] > 0) scale = std::min(scale, max_size_[a] / in[a]);
  for (size_t a = 0; a < axes_; ++a) out[a] = std::copysign(in[a] * scale, out[a] == 0 ? 1.0 : out[a]);
}

}  // namespace penstock
