#include "kernels/color/lab.h"

#include <algorithm>
#include <cmath>

#include "cpu/newest.h"
#include "cpu/vectorize.h"

namespace penstock {
namespace {

constexpr int64_t kLabBlock = 256;
using Block = int32_t[kLabBlock];

// Of the numbers, how many bits are behind the point.
constexpr int kLinearBits = 3, kCoefficientBits = 12, kRootBits = 15, kCubeBits = 14, kLightBits = 12;
constexpr int kLightest = (1 << kLightBits) - 1;

// XYZ of linear RGB, under a white of D65.
constexpr double kWhite[3] = {0.950456, 1, 1.088754};
constexpr double kToXyz[3][3] = {
    {0.412453, 0.357580, 0.180423}, {0.212671, 0.715160, 0.072169}, {0.019334, 0.119193, 0.950227}};
constexpr double kFromXyz[3][3] = {
    {3.240479, -1.53715, -0.498535}, {-0.969256, 1.875991, 0.041556}, {0.055648, -0.204043, 1.057311}};

/// `sum` of products without the bits behind the point, rounded.
inline int32_t shifted_and_rounded(int32_t sum, int bits) { return (sum + (1 << (bits - 1))) >> bits; }

/// OpenCV cuts off what does not fit, which shows where halves are rounded afterwards.
float root_rounded_down(float x) {
  const double exact = std::cbrt(double{x});
  const auto nearest = static_cast<float>(exact);
  return nearest > exact ? std::nextafter(nearest, 0.0f) : nearest;
}

struct Coefficients {
  int32_t to_xyz[3][3], from_xyz[3][3];
  Coefficients() {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        to_xyz[i][j] = static_cast<int32_t>(std::lrint((1 << kCoefficientBits) * kToXyz[i][j] / kWhite[i]));
        from_xyz[i][j] = static_cast<int32_t>(std::lrint((1 << kCoefficientBits) * kFromXyz[i][j] * kWhite[j]));
      }
  }
};

struct Tables {
  int32_t linear[256];               // light of a level
  int32_t root[384 << kLinearBits];  // cube root of light, but for the darkest
  uint32_t lightness[256];           // Y of a lightness, and above it the cube root of Y
  uint8_t level[kLightest + 1];      // of light

  Tables() {
    for (int i = 0; i < 256; ++i) {
      const double x = i / 255.0, light = x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
      linear[i] = static_cast<int32_t>(std::lrint(255 * (1 << kLinearBits) * light));
      const double l = i * 100 / 255.0, y = l <= 8 ? l * 27 / 24389 : std::pow((l + 16) / 116, 3);
      const double f = l <= 8 ? y * 841 / 108 + 16.0 / 116 : (l + 16) / 116;
      lightness[i] = static_cast<uint32_t>(std::lrint((1 << kCubeBits) * y)) |
                     static_cast<uint32_t>(std::lrint((1 << kCubeBits) * f)) << 16;
    }
    int at = 0;
    for (int32_t& each : root) {
      const float x = static_cast<float>(at++) / (255 << kLinearBits);
      const float f = x < 0.008856f ? x * 7.787f + 0.13793103448275862f : root_rounded_down(x);
      each = static_cast<int32_t>(std::lrint((1 << kRootBits) * f));
    }
    for (int i = 0; i <= kLightest; ++i) {
      const double x = static_cast<double>(i) / (1 << kLightBits);
      level[i] =
          static_cast<uint8_t>(std::lrint(255 * (x <= 0.0031308 ? x * 12.92 : 1.055 * std::pow(x, 1 / 2.4) - 0.055)));
    }
  }
};

const Tables& tables() {
  static const Tables made;
  return made;
}

const Coefficients& coefficients() {
  static const Coefficients made;
  return made;
}

/// Numbers of the table at n places, for three channels.
template <typename Place>
void look_up_block(Block (&out)[3], const int32_t* table, int64_t n, Place&& place) {
  for (int64_t i = 0; i < n; ++i)
    for (int c = 0; c < 3; ++c) out[c][i] = table[place(c, i)];
}

/// Light of linear RGB, relative to white.
PENSTOCK_INLINE inline void put_xyz(Block (&xyz)[3], const Block (&rgb)[3], const int32_t (&m)[3][3]) {
  for (int k = 0; k < 3; ++k)
    for (int64_t i = 0; i < kLabBlock; ++i)
      xyz[k][i] =
          shifted_and_rounded(rgb[0][i] * m[k][0] + rgb[1][i] * m[k][1] + rgb[2][i] * m[k][2], kCoefficientBits);
}

PENSTOCK_INLINE inline void put_lab(uint8_t* __restrict l, uint8_t* __restrict a, uint8_t* __restrict b,
                                    const Block (&roots)[3], int64_t n) {
  constexpr int32_t kScale = (116 * 255 + 50) / 100, kMiddle = 128 << kRootBits;
  constexpr int32_t kBlack = static_cast<int32_t>((16 * 255 * (int64_t{1} << kRootBits) + 50) / 100);
  const auto level = [](int32_t sum) {
    return static_cast<uint8_t>(std::clamp(shifted_and_rounded(sum, kRootBits), 0, 255));
  };
  for (int64_t i = 0; i < n; ++i) {
    const int32_t x = roots[0][i], y = roots[1][i], z = roots[2][i];
    l[i] = level(kScale * y - kBlack);
    a[i] = level(500 * (x - y) + kMiddle);
    b[i] = level(200 * (y - z) + kMiddle);
  }
}

/// The cube of `f`, but for the darkest.
inline int32_t cubed(int32_t f) {
  constexpr int32_t kOne = 1 << kCubeBits, kDarkest = kOne * 6 / 29, kOffset = kOne * 16 / 116 * 108 / 841;
  const int32_t dark = f * 108 / 841 - kOffset, cube = ((f * f) >> kCubeBits) * f >> kCubeBits;
  return f <= kDarkest ? dark : cube;
}

/// Linear RGB of lightnesses, found in their table, and colours.
PENSTOCK_INLINE inline void put_light(Block (&rgb)[3], const uint32_t* lightness, const uint8_t* a, const uint8_t* b,
                                      int64_t n, const int32_t (&m)[3][3]) {
  constexpr int32_t kOne = 1 << kCubeBits, kAMiddle = 128 * kOne / 500, kBMiddle = 128 * kOne / 200 - 1;
  PENSTOCK_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    const auto y = static_cast<int32_t>(lightness[i] & 0xffff), f = static_cast<int32_t>(lightness[i] >> 16);
    const int32_t x = cubed(f + ((5 * a[i] * 53687 + (1 << 7)) >> 13) - kAMiddle);
    const int32_t z = cubed(f - ((b[i] * 41943 + (1 << 4)) >> 9) + kBMiddle);
    for (int c = 0; c < 3; ++c) {
      const int32_t light =
          shifted_and_rounded(m[c][0] * x + m[c][1] * y + m[c][2] * z, kCoefficientBits + kCubeBits - kLightBits);
      rgb[c][i] = std::clamp(light, 0, kLightest);
    }
  }
}

}  // namespace

void rgb_to_lab(const LabPlanes& lab, const uint8_t* rgb, int64_t pixels) {
  const Tables& table = tables();
  Block light[3] = {}, xyz[3];
  for (int64_t done = 0; done < pixels; done += kLabBlock, rgb += 3 * kLabBlock) {
    const int64_t n = std::min(kLabBlock, pixels - done);
    look_up_block(light, table.linear, n, [&](int c, int64_t i) { return rgb[3 * i + c]; });
    newest<put_xyz>(xyz, light, coefficients().to_xyz);
    look_up_block(light, table.root, n, [&](int c, int64_t i) { return xyz[c][i]; });
    newest<put_lab>(lab.l + done, lab.a + done, lab.b + done, light, n);
  }
}

void lab_to_rgb(uint8_t* rgb, const LabPlanes& lab, int64_t pixels) {
  const Tables& table = tables();
  uint32_t lightness[kLabBlock];
  Block light[3];
  for (int64_t done = 0; done < pixels; done += kLabBlock, rgb += 3 * kLabBlock) {
    const int64_t n = std::min(kLabBlock, pixels - done);
    for (int64_t i = 0; i < n; ++i) lightness[i] = table.lightness[lab.l[done + i]];
    newest<put_light>(light, lightness, lab.a + done, lab.b + done, n, coefficients().from_xyz);
    for (int64_t i = 0; i < n; ++i)
      for (int c = 0; c < 3; ++c) rgb[3 * i + c] = table.level[light[c][i]];
  }
}

}  // namespace penstock
