// 8-bit RGB to CIE L*a*b* and back, in the whole numbers OpenCV calculates with, to the last bit.
#pragma once

#include <cstdint>

namespace penstock {

/// A plane for each of lightness, green to red, and blue to yellow.
struct LabPlanes {
  uint8_t *l, *a, *b;
};

void rgb_to_lab(const LabPlanes& lab, const uint8_t* rgb, int64_t pixels);

void lab_to_rgb(uint8_t* rgb, const LabPlanes& lab, int64_t pixels);

}  // namespace penstock
