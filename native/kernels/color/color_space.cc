#include "kernels/color/color_space.h"

#include <algorithm>

#include "kernels/bytes/channels.h"
#include "kernels/color/color_space_avx2.h"
#include "kernels/color/linear_map.h"
#include "kernels/color/luma_weights.h"

namespace penstock {
namespace {

constexpr int64_t kBlock = 1024;
constexpr float kHeadroom = 219.0f / 255, kFootroom = 16;

/// Grey into the first `channels` of three, `fill` into the others.
void spread(uint8_t* color, const uint8_t* gray, int64_t pixels, int channels, uint8_t fill) {
  int64_t i = 0;
#ifdef PENSTOCK_X86
  if (kHasAvx2) i = spread_gray_avx2(color, gray, pixels, channels, fill);
#endif
  for (; i < pixels; ++i)
    for (int c = 0; c < 3; ++c) color[3 * i + c] = c < channels ? gray[i] : fill;
}

void linear_bytes(uint8_t* out, const uint8_t* in, int64_t n, float factor, float addend) {
  const Shape shape{1, {n}};
  linear({reinterpret_cast<std::byte*>(out), DType::u8, shape},
         {reinterpret_cast<const std::byte*>(in), DType::u8, shape}, factor, addend);
}

}  // namespace

void swap_red_and_blue(uint8_t* out, const uint8_t* in, int64_t pixels) {
  int64_t i = 0;
#ifdef PENSTOCK_X86
  if (kHasAvx2) i = swap_red_and_blue_avx2(out, in, pixels);
#endif
  for (i *= 3; i < 3 * pixels; i += 3) {
    const uint8_t red = in[i], green = in[i + 1], blue = in[i + 2];
    out[i] = blue;
    out[i + 1] = green;
    out[i + 2] = red;
  }
}

void color_to_gray(uint8_t* gray, const uint8_t* color, int64_t pixels, bool bgr) {
  const int first = bgr ? kLumaBlue : kLumaRed, third = bgr ? kLumaRed : kLumaBlue;
  int64_t i = 0;
#ifdef PENSTOCK_X86
  if (kHasAvx2) i = color_to_gray_avx2(gray, color, pixels, first, third);
#endif
  for (; i < pixels; ++i) {
    const uint8_t* pixel = color + 3 * i;
    const int sum = first * pixel[0] + kLumaGreen * pixel[1] + third * pixel[2];
    gray[i] = static_cast<uint8_t>((sum + (1 << (kLumaBits - 1))) >> kLumaBits);
  }
}

void gray_to_color(uint8_t* color, const uint8_t* gray, int64_t pixels) { spread(color, gray, pixels, 3, 0); }

void gray_to_ycbcr(uint8_t* ycbcr, const uint8_t* gray, int64_t pixels) {
  uint8_t luma[kBlock];
  for (int64_t i = 0; i < pixels; i += kBlock) {
    const int64_t count = std::min(kBlock, pixels - i);
    linear_bytes(luma, gray + i, count, kHeadroom, kFootroom);
    spread(ycbcr + 3 * i, luma, count, 1, 128);
  }
}

void ycbcr_to_gray(uint8_t* gray, const uint8_t* ycbcr, int64_t pixels) {
  std::byte planes[3 * kBlock];
  for (int64_t i = 0; i < pixels; i += kBlock) {
    const int64_t count = std::min(kBlock, pixels - i);
    split_channels(planes, kBlock, reinterpret_cast<const std::byte*>(ycbcr + 3 * i), count, 3, 1);
    linear_bytes(gray + i, reinterpret_cast<const uint8_t*>(planes), count, 1 / kHeadroom, -kFootroom / kHeadroom);
  }
}

}  // namespace penstock
