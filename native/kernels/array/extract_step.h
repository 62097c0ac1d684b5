// The step of crop, slice and pad: a window of each sample.
#pragma once

#include <algorithm>

#include "kernels/array/extract.h"
#include "kernels/array/window_rule.h"
#include "kernels/step.h"
#include "memory/per_sample.h"

namespace penstock {

/// The window of a sample after what its border allows: inside for `error` (else throws) and `trim`.
Box fitted(Box window, const Shape& shape, Border border);

/// Maps every axis of a window of a part of an array; `mirrored_axis` is turned around, -1 for none. Tables live in the
/// scratch memory.
AxisMaps map_window(const Box& window, const Part& part, Border border, int mirrored_axis, Scratch& scratch);

class Extract : public Step {
 public:
  struct Options {
    Border border = Border::error;
    PerSampleRows<float> fill;  // one value a row, or one per channel
    int channel_axis = -1;      // needed only for several values
    DType dtype = DType::u8;
  };
  Extract(std::shared_ptr<const WindowRule> rule, Options options)
      : rule_(std::move(rule)), options_(std::move(options)) {}

  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  bool infers_alike() const override { return options_.border != Border::trim && rule_->sizes_are_alike(); }
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;
  int64_t reads_once(int64_t input, int64_t output) const override { return std::min(input, output); }
  bool is_part() const override { return true; }
  bool narrow(size_t sample, DType dtype, Part& part) const override;

 private:
  std::shared_ptr<const WindowRule> rule_;
  Options options_;
};

}  // namespace penstock
