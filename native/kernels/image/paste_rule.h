// The canvas of paste, as a window that reaches beyond the image.
#pragma once

#include "kernels/array/window_rule.h"
#include "memory/per_sample.h"

namespace penstock {

/// A canvas around an image with axes H, W, C, as a window that reaches beyond it: `ratio` times as high and wide, but
/// at least `least`, with the image at a fraction of the room there is.
class PasteRule : public WindowRule {
 public:
  struct Arguments {
    PerSample<float> ratio, least, y, x;
  };
  explicit PasteRule(Arguments arguments) : arguments_(std::move(arguments)) {}

  Box window(size_t sample, const Shape& shape) const override;

 private:
  Arguments arguments_;
};

}  // namespace penstock
