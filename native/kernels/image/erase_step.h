// The step that erases regions of samples.
#pragma once

#include <vector>

#include "kernels/image/erase.h"
#include "kernels/step.h"
#include "memory/per_sample.h"

namespace penstock {

/// Copies samples with constants in some regions of them.
class Erase : public Step {
 public:
  struct Arguments {
    std::vector<int> axes;                // along which regions are bounded
    PerSampleLists<float> anchor, shape;  // for one region after the other, a value for each of these axes
    bool anchor_is_share = false, shape_is_share = false;
    bool centered = false;      // the anchor is the middle of a region
    PerSampleRows<float> fill;  // one value a row, or one per channel
    int channel_axis = -1;      // needed only for several values
  };
  explicit Erase(Arguments arguments) : arguments_(std::move(arguments)) {}

  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;

 private:
  Region region(const float* anchor, const float* shape, const Shape& whole) const;

  Arguments arguments_;
};

}  // namespace penstock
