// What size a resized sample gets, and which part of the input it shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/array/window_rule.h"
#include "memory/per_sample.h"
#include "memory/view.h"

namespace penstock {

enum class ResizeMode : uint8_t { standard, stretch, not_larger, not_smaller };

/// How the number of output pixels is made a whole one; there is always at least one.
enum class SizeRounding : uint8_t { nearest, down, up };

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

  /// Takes the requested sizes as multiples of the input's extents.
  void set_scales() { requested_are_scales_ = true; }

  /// How sizes are rounded, and which point of the region stays where it is when that changes the scale: rows like
  /// those of the region, from 0 for its start to 1 for its end.
  void set_rounding(SizeRounding rounding, std::vector<float> alignment);

  /// Makes only a part of the result, given by a window of it that may reach beyond, and mirrors that part along the
  /// axes in `mirror`: bit 0 is the last of the resized axes, bit 1 the one before it, and so on.
  void set_crop(std::shared_ptr<const WindowRule> crop, PerSample<int32_t> mirror);

  size_t axes() const { return axes_; }

  /// Fills `targets`, one for each of the `axes` of a sample of that shape. Throws std::invalid_argument for sizes that
  /// are no sizes.
  void apply(size_t sample, const Shape& shape, const std::vector<int>& axes, AxisTarget* targets) const;

 private:
  void read_region(size_t sample, const Shape& shape, const std::vector<int>& axes, AxisTarget* targets) const;
  void wanted_sizes(size_t sample, const Shape& shape, const std::vector<int>& axes, const double* in,
                    double* out) const;
  int64_t rounded(double wanted) const;
  void crop(size_t sample, const Shape& shape, const std::vector<int>& axes, AxisTarget* targets) const;
  void fill_open(const double* in, double* out) const;
  void scale_alike(const double* in, double* out) const;

  size_t axes_;
  std::vector<float> requested_;
  ResizeMode mode_;
  std::vector<float> max_size_, region_start_, region_end_;
  std::shared_ptr<const WindowRule> window_;
  bool region_is_relative_;
  bool keep_scale_exact_;
  bool requested_are_scales_ = false;
  SizeRounding rounding_ = SizeRounding::nearest;
  std::vector<float> alignment_;  // empty for the middle
  std::shared_ptr<const WindowRule> crop_;
  PerSample<int32_t> mirror_;
};

}  // namespace penstock
