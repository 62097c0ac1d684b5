// Steps that mirror bounding boxes or move them onto a canvas.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "kernels/boxes/boxes.h"
#include "kernels/step.h"
#include "memory/per_sample.h"

namespace penstock {

/// A step from boxes to as many boxes.
class BoxStep : public Step {
 public:
  explicit BoxStep(BoxForm form) : form_(form) {}

  Spec infer(size_t, const Spec& in, ConstView) const override {
    if (in.dtype != DType::f32) throw std::runtime_error("boxes are float32");
    if (const int64_t size = in.shape.volume(); size % 4 != 0)
      throw std::runtime_error("a box is four numbers, which " + std::to_string(size) + " are no multiple of");
    return in;
  }

 protected:
  BoxForm form_;
};

class FlipBoxes : public BoxStep {
 public:
  FlipBoxes(BoxForm form, PerSample<int32_t> horizontal, PerSample<int32_t> vertical)
      : BoxStep(form), horizontal_(std::move(horizontal)), vertical_(std::move(vertical)) {}

  void run(size_t sample, View out, ConstView in, Scratch&) const override {
    flip_boxes(out.as<float>(), in.as<float>(), in.shape.volume() / 4, form_, horizontal_[sample], vertical_[sample]);
  }

 private:
  PerSample<int32_t> horizontal_, vertical_;
};

class PasteBoxes : public BoxStep {
 public:
  PasteBoxes(BoxForm form, PerSample<float> ratio, PerSample<float> x, PerSample<float> y)
      : BoxStep(form), ratio_(std::move(ratio)), x_(std::move(x)), y_(std::move(y)) {}

  void run(size_t sample, View out, ConstView in, Scratch&) const override {
    paste_boxes(out.as<float>(), in.as<float>(), in.shape.volume() / 4, form_, ratio_[sample], x_[sample], y_[sample]);
  }

 private:
  PerSample<float> ratio_, x_, y_;
};

}  // namespace penstock
