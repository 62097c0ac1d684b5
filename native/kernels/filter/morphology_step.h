// The step of dilation and erosion.
#pragma once

#include "kernels/filter/morphology.h"
#include "kernels/step.h"
#include "memory/per_sample.h"

namespace penstock {

/// Dilation or erosion of images by a rectangle.
class Morphology : public Step {
 public:
  /// `mask` and `anchor` have a value for rows and one for columns; the anchor lies inside the mask.
  Morphology(int first_axis, Extreme extreme, PerSampleRows<int32_t> mask, PerSampleRows<int32_t> anchor, Border border)
      : first_axis_(first_axis),
        extreme_(extreme),
        mask_(std::move(mask)),
        anchor_(std::move(anchor)),
        border_(border) {}

  Spec infer(size_t, const Spec& in, ConstView) const override { return in; }
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override {
    const int32_t *mask = mask_[sample], *anchor = anchor_[sample];
    take_extremes(out, in, Volume::of(in.shape, {first_axis_, 2}), {mask[0], mask[1], anchor[0], anchor[1]}, border_,
                  extreme_, scratch);
  }

 private:
  int first_axis_;
  Extreme extreme_;
  PerSampleRows<int32_t> mask_, anchor_;
  Border border_;
};

}  // namespace penstock
