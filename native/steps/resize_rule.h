// What size a resized sample gets, and which part of the input it shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/view.h"
#include "steps/window_rule.h"

namespace penstock {

enum class ResizeMode : uint8_t { standard, stretch, not_larger, not_smaller };

/// Along one axis: output pixels, and the input interval they cover; lo > hi mirrors.
struct AxisTarget {
  int64_t size = 0;
  double lo = 0, hi = 0;
};

class ResizeRule {
 public:
  /// Rows are per sample, or one for all, with a value for each resized axis. A requested size of 0 is left open, a
  /// negative one mirrors; `max_size` may be empty; so may the region, which is then the whole input.
  ResizeRule(size_t axes, std::vector<float> requested, ResizeMode mode, std::vector<float> max_size,
             std::vector<float> region_start, std::vector<float> region_end, bool region_is_relative,
             bool keep_scale_exact);

  /// Takes the region from `window` instead.
  void set_window(std::shared_ptr<const WindowRule> window) { window_ = std::move(window); }

  size_t axes() const { return axes_; }

  /// Fills `targets`, one for each of the `axes` of a sample of that shape. Throws std::invalid_argument for sizes that
  /// are no sizes.
  void apply(size_t sample, const Shape& shape, const std::vector<int>& axes, AxisTarget* targets) const;

 private:
  static constexpr size_t kMaxAxes = 3;

  void read_region(size_t sample, const Shape& shape, const std::vector<int>& axes, AxisTarget* targets) const;
  void wanted_sizes(size_t sample, const double* in, double* out) const;
  void fill_open(const double* in, double* out) const;
  void scale_alike(const double* in, double* out) const;

  size_t axes_;
  std::vector<float> requested_;
  ResizeMode mode_;
  std::vector<float> max_size_, region_start_, region_end_;
  std::shared_ptr<const WindowRule> window_;
  bool region_is_relative_;
  bool keep_scale_exact_;
};

}  // namespace penstock
