// Decoded video, planes of luma and chroma, as pixels.
#pragma once

#include <cstdint>

#include "memory/scratch.h"

namespace penstock {

struct Plane {
  const uint8_t* data;
  int64_t stride;
};

/// Chroma planes have half the columns or rows where `half_width`, `half_height` say so; the halved extent is even.
struct PlanarYuv {
  Plane y, u, v;
  int64_t height, width;
  bool half_height, half_width;
  bool full_range;  // black is 0 and white 255, instead of 16 and 235
};

enum class YuvTarget { rgb, ycbcr, gray };

/// BT.601, chroma interpolated linearly between samples that lie in the middle of the pixels they stand for; the same
/// to the bit as swscale with SWS_BILINEAR, SWS_FULL_CHR_H_INT and SWS_ACCURATE_RND. YCbCr has head- and footroom,
/// grey has none. `out` is contiguous: three channels, or one for grey.
void yuv_to_pixels(uint8_t* out, const PlanarYuv& in, YuvTarget target, Scratch& scratch);

}  // namespace penstock
