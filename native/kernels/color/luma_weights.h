// What red, green and blue weigh in the luma of a pixel, in fixed point.
#pragma once

namespace penstock {

constexpr int kLumaRed = 9798, kLumaGreen = 19235, kLumaBlue = 3735, kLumaBits = 15;

}  // namespace penstock
