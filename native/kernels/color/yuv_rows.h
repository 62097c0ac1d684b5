// One row of decoded video on its way from planes to pixels. Included by planar_yuv.cc and its AVX2 form.
#pragma once

#include <cstdint>

namespace penstock {

// Luma and chroma come as sixteenths, weights as 1/8192.
constexpr int kYuvBits = 4 + 13, kYuvHalf = 1 << (kYuvBits - 1);

/// What luma and chroma are multiplied with, and what is added.
struct YuvWeights {
  int luma, offset;  // for grey and for red, green and blue
  int v_red, u_green, v_green, u_blue;
  int room_luma, room_offset, room_chroma;  // for YCbCr
};

/// Rows of the three planes of one row of pixels, as wide as the picture, and what they are mixed into.
struct YuvRows {
  int16_t *y, *u, *v, *sums;
  uint8_t* mixed;  // three of them
};

}  // namespace penstock
