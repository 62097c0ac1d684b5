// Where the window of a sample lies: the arguments of crop, slice and pad for a whole batch.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "memory/per_sample.h"
#include "memory/rect.h"
#include "memory/view.h"

namespace penstock {

/// A part of an array; it may reach beyond it.
struct Box {
  Shape anchor;
  Shape extent;
};

class WindowRule {
 public:
  virtual ~WindowRule() = default;
  virtual Box window(size_t sample, const Shape& shape) const = 0;
  /// Whether windows have one size, and lie inside, in all samples of a shape if they do in one of them.
  virtual bool sizes_are_alike() const { return false; }
  /// Whether windows are all of their samples.
  virtual bool takes_all() const { return false; }
};

/// The window an image decoder takes, of pictures with axes H, W, C.
std::function<Rect(size_t sample, int64_t height, int64_t width)> image_window(std::shared_ptr<const WindowRule> rule);

/// A window of given size whose place is a fraction of the room it has. A size of 0 means all of the axis.
class CropRule : public WindowRule {
 public:
  struct Axis {
    int axis;  // of the samples
    PerSample<float> size;
    PerSample<float> position;
  };
  CropRule(std::vector<Axis> axes, bool truncates) : axes_(std::move(axes)), truncates_(truncates) {}

  Box window(size_t sample, const Shape& shape) const override;
  bool sizes_are_alike() const override;
  bool takes_all() const override;

 private:
  std::vector<Axis> axes_;
  bool truncates_;
};

/// How a bound of a slice is given.
enum class Unit : uint8_t { pixels, share, exact_share };

/// A window from start to end along chosen axes. Shares of the axis are multiplied in single precision, as named
/// arguments are, or in double precision (exact), as positional ones are.
class SliceRule : public WindowRule {
 public:
  struct Bound {
    PerSampleRows<double> values;
    Unit unit = Unit::pixels;
  };
  /// Without `start` windows begin at 0, without `end` they reach to the end of the axis.
  struct Bounds {
    Bound start, end;
    bool end_is_extent = false;
  };
  SliceRule(PerSampleRows<int32_t> axes, Bounds bounds) : axes_(std::move(axes)), bounds_(std::move(bounds)) {}
  /// Along all axes, however many samples have; a bound of one value is that of every axis.
  explicit SliceRule(Bounds bounds) : all_axes_(true), bounds_(std::move(bounds)) {}

  Box window(size_t sample, const Shape& shape) const override;

 private:
  PerSampleRows<int32_t> axes_;
  bool all_axes_ = false;
  Bounds bounds_;
};

/// The whole sample and more at its ends: at least `extent` along each of `axes`, and a multiple of `align`.
class PadRule : public WindowRule {
 public:
  PadRule(PerSampleRows<int32_t> axes, PerSampleRows<int32_t> extent, PerSampleRows<int32_t> align)
      : axes_(std::move(axes)), extent_(std::move(extent)), align_(std::move(align)) {}

  Box window(size_t sample, const Shape& shape) const override;

 private:
  PerSampleRows<int32_t> axes_, extent_, align_;
};

}  // namespace penstock
