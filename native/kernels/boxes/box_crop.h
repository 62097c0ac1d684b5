// Random crop windows that keep enough of the boxes of a picture, in the manner of SSD training.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/boxes/box_range.h"
#include "kernels/image/random_window.h"
#include "kernels/random/philox.h"

namespace penstock {

struct BoxCropRule {
  std::vector<float> thresholds;  // one is drawn: how much boxes must overlap with the window
  bool may_keep_all = true;       // not to crop is one more choice
  bool all_boxes = true;          // all boxes must overlap enough, or any
  bool by_box = false;            // overlap as a share of the box, or as intersection over union
  std::optional<float> prune;     // least share of a box to keep it; none: its centre must be in the window
  Interval scaling{1, 1};
  std::array<Interval, 3> aspect_ratio{{{1, 1}, {1, 1}, {1, 1}}};  // x/y, x/z, y/z
  int attempts = 1;                                                // until another threshold is drawn
  int64_t total_attempts = -1;                                     // until the best window is taken; -1: never
};

/// The sizes of one picture and of its window in pixels, where they are given.
struct BoxCropSizes {
  std::optional<std::array<int32_t, kMaxBoxDims>> picture, window;
};

struct BoxCrop {
  BoxPoint anchor{}, extent{};  // in pixels where the window's size is given, else in shares
  std::vector<float> boxes;     // those in the window, in shares of it
  std::vector<int32_t> kept;    // which they are
  bool settled = true;          // false where attempts ran out
};

/// Throws std::runtime_error where no window is found for very long, or a box is not in the picture.
BoxCrop draw_box_crop(const Philox& sequence, const BoxCropRule& rule, const BoxLayout& layout, const float* rows,
                      int64_t n, const BoxCropSizes& sizes);

}  // namespace penstock
