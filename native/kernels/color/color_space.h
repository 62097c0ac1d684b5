// Conversion of 8-bit pixels between colour spaces.
#pragma once

#include <cstdint>

namespace penstock {

/// May work in place.
void swap_red_and_blue(uint8_t* out, const uint8_t* in, int64_t pixels);

/// Luma, in the fixed point OpenCV calculates with. `bgr` tells the order of channels.
void color_to_gray(uint8_t* gray, const uint8_t* color, int64_t pixels, bool bgr);

/// Grey in all three channels.
void gray_to_color(uint8_t* color, const uint8_t* gray, int64_t pixels);

/// Luma with head- and footroom and no chroma.
void gray_to_ycbcr(uint8_t* ycbcr, const uint8_t* gray, int64_t pixels);

/// The luma of YCbCr, stretched to the full range.
void ycbcr_to_gray(uint8_t* gray, const uint8_t* ycbcr, int64_t pixels);

}  // namespace penstock
