// How many values a byte has: the length of histograms and lookup tables of 8-bit images.
#pragma once

namespace penstock {

constexpr int kLevels = 256;

}  // namespace penstock
