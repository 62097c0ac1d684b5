// Random crop windows in the manner of Inception training: a share of the image's area in a given shape.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "memory/rect.h"

namespace penstock {

struct Interval {
  float low = 0, high = 0;
};

class RandomWindow {
 public:
  /// `call` are the words the operator took from the user's generator. `area` is in shares of the image's, the aspect
  /// ratio is width over height. Throws std::runtime_error for empty ranges.
  RandomWindow(std::array<uint32_t, 7> call, Interval area, Interval aspect_ratio, int attempts);

  /// The window of a sample's image; the same whenever it is asked for.
  Rect operator()(size_t sample, int64_t height, int64_t width) const;

 private:
  std::array<uint32_t, 7> call_;
  Interval area_, aspect_ratio_, log_aspect_ratio_;
  int attempts_;
};

}  // namespace penstock
