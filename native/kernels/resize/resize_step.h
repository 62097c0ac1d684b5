// The resize step: chosen axes of each sample brought to the size a rule gives.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/resize/resample.h"
#include "kernels/resize/resize_rule.h"
#include "kernels/step.h"

namespace penstock {

struct ResizeArguments {
  std::vector<int> axes;            // of a sample's shape, ascending
  ResizeRule rule;                  // what size each of them gets
  std::vector<Interp> min_filters;  // n, or 1 for all: for axes that shrink
  std::vector<Interp> mag_filters;  // n, or 1 for all: for axes that do not
  bool antialias = true;            // widen the filters of axes that shrink
  DType dtype;                      // the input's, or f32
};

class Resize : public Step {
 public:
  /// Throws std::invalid_argument if the arguments do not fit together.
  explicit Resize(ResizeArguments arguments);

  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;

  /// How each of the axes of a sample of that shape is resampled.
  std::vector<ResampledAxis> plan(size_t sample, const Shape& in) const;

 private:
  AxisSpec axis_spec(size_t sample, int64_t extent, const AxisTarget& target) const;

  ResizeArguments arguments_;
};

}  // namespace penstock
