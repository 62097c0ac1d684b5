// The step that clears a grid of squares.
#pragma once

#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "kernels/image/grid_mask.h"
#include "kernels/step.h"
#include "memory/per_sample.h"

namespace penstock {

/// Clears a grid of squares in every sample.
class GridMask : public Step {
 public:
  struct Arguments {
    PerSample<int32_t> tile;
    PerSample<float> ratio, angle, shift_x, shift_y;
  };
  GridMask(int row_axis, Arguments arguments) : row_axis_(row_axis), arguments_(std::move(arguments)) {}

  Spec infer(size_t sample, const Spec& in, ConstView) const override {
    if (arguments_.tile[sample] < 1)
      throw std::runtime_error("Tile argument must be positive, got " + std::to_string(arguments_.tile[sample]));
    if (in.shape[row_axis_ + 1] > std::numeric_limits<int32_t>::max())
      throw std::runtime_error("rows of " + std::to_string(in.shape[row_axis_ + 1]) + " pixels are too long");
    return in;
  }
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override {
    const Arguments& a = arguments_;
    grid_mask(out, in, row_axis_,
              {a.tile[sample], a.ratio[sample], a.angle[sample], a.shift_x[sample], a.shift_y[sample]}, scratch);
  }

 private:
  int row_axis_;
  Arguments arguments_;
};

}  // namespace penstock
