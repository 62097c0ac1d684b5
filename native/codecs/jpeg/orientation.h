// Turning stored images upright, and windows of upright images back.
#pragma once

#include <cstdint>

#include "memory/rect.h"

namespace penstock {

/// How an image must be turned to stand upright, from the EXIF number 1 to 8.
struct Orientation {
  explicit constexpr Orientation(int exif)
      : transposed(exif >= 5),
        rows_reversed(exif == 3 || exif == 4 || exif == 6 || exif == 7),
        columns_reversed(exif == 2 || exif == 3 || exif == 7 || exif == 8) {}

  bool upright() const { return !transposed && !rows_reversed && !columns_reversed; }

  bool transposed;        ///< stored rows are columns of the upright image
  bool rows_reversed;     ///< the first stored row comes last
  bool columns_reversed;  ///< the first stored column comes last
};

/// Where `window` of the upright image lies in the stored one of `height` x `width`.
Rect stored_window(const Rect& window, Orientation orientation, int64_t height, int64_t width);

/// Turns the stored pixels `in`, `height` x `width` x `channels`, upright into `out`, which does not overlap them.
void turn_upright(uint8_t* out, const uint8_t* in, int64_t height, int64_t width, int channels,
                  Orientation orientation);

}  // namespace penstock
