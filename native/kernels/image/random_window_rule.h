// The window rule of random crops.
#pragma once

#include "kernels/array/window_rule.h"
#include "kernels/image/random_window.h"

namespace penstock {

/// A random window along the two axes of a picture, the same in all its frames and channels.
class RandomRule : public WindowRule {
 public:
  RandomRule(RandomWindow window, int height_axis, int width_axis)
      : window_(std::move(window)), height_axis_(height_axis), width_axis_(width_axis) {}

  Box window(size_t sample, const Shape& shape) const override {
    const Rect part = window_(sample, shape[height_axis_], shape[width_axis_]);
    Box box{shape, shape};
    for (int axis = 0; axis < shape.ndim; ++axis) box.anchor[axis] = 0;
    box.anchor[height_axis_] = part.y;
    box.anchor[width_axis_] = part.x;
    box.extent[height_axis_] = part.height;
    box.extent[width_axis_] = part.width;
    return box;
  }

 private:
  RandomWindow window_;
  int height_axis_, width_axis_;
};

}  // namespace penstock
