// Colour arithmetic that libjpeg does not do, to the last bit as the reference library does it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory/view.h"

namespace penstock {

/// Colours of a decoded image, with the numbers of `types.DALIImageType`. `any` keeps what is stored.
enum class ColorType : uint8_t { rgb, bgr, gray, ycbcr, any };

/// Ink to light. `ink_inverted`: 255 means no ink, as Adobe writes it. May work in place.
void cmyk_to_rgb(uint8_t* rgb, const uint8_t* cmyk, size_t pixels, bool ink_inverted);

/// Luma of pixels that came as CMYK from a JPEG, rounded down. May work in place.
void cmyk_rgb_to_gray(uint8_t* gray, const uint8_t* rgb, size_t pixels);

/// ITU-R BT.601 YCbCr with head- and footroom. May work in place.
void rgb_to_ycbcr(uint8_t* ycbcr, const uint8_t* rgb, size_t pixels);

/// Throws std::invalid_argument for an element type that no image is decoded to.
void require_pixel_type(DType dtype);

/// Stretches 0..255 over what `dtype` can hold, 0..1 for floats. Works on `count` values.
void stretch_to(DType dtype, std::byte* out, const uint8_t* in, size_t count);

/// `rgb_to_ycbcr` stretched the same way, without rounding to 8 bits in between.
void rgb_to_ycbcr_stretched(DType dtype, std::byte* ycbcr, const uint8_t* rgb, size_t pixels);

}  // namespace penstock
