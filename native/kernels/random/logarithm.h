// The logarithm of glibc 2.28 and later, the polynomial of Arm's optimized routines (MIT licence), bit for bit: the
// same seed gives the same numbers whatever the C library, and loops of it vectorise.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace penstock {

inline constexpr double kInverse[16] = {
    0x1.661ec79f8f3bep+0, 0x1.571ed4aaf883dp+0, 0x1.49539f0f010bp+0,  0x1.3c995b0b80385p+0, 0x1.30d190c8864a5p+0,
    0x1.25e227b0b8eap+0,  0x1.1bb4a4a1a343fp+0, 0x1.12358f08ae5bap+0, 0x1.0953f419900a7p+0, 0x1p+0,
    0x1.e608cfd9a47acp-1, 0x1.ca4b31f026aap-1,  0x1.b2036576afce6p-1, 0x1.9c2d163a1aa2dp-1, 0x1.886e6037841edp-1,
    0x1.767dcf5534862p-1,
};
inline constexpr double kLogarithm[16] = {
    -0x1.57bf7808caadep-2, -0x1.2bef0a7c06ddbp-2, -0x1.01eae7f513a67p-2, -0x1.b31d8a68224e9p-3, -0x1.6574f0ac07758p-3,
    -0x1.1aa2bc79c81p-3,   -0x1.a4e76ce8c0e5ep-4, -0x1.1973c5a611cccp-4, -0x1.252f438e10c1ep-5, 0x0p+0,
    0x1.aa5aa5df25984p-5,  0x1.c5e53aa362eb4p-4,  0x1.526e57720db08p-3,  0x1.bc2860d22477p-3,   0x1.1058bc8a07ee1p-2,
    0x1.4043057b6ee09p-2,
};

/// The logarithm of a positive, normal x.
inline float natural_log(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x), offset = bits - 0x3f330000;
  const double exponent = static_cast<int32_t>(offset) >> 23;
  const double mantissa = std::bit_cast<float>(bits - (offset & 0xff800000));
  const size_t entry = (offset >> 19) % 16;
  const double r = std::fma(mantissa, kInverse[entry], -1.0), r2 = r * r;
  const double base = std::fma(exponent, 0x1.62e42fefa39efp-1, kLogarithm[entry]) + r;
  double y = std::fma(0x1.5575b0be00b6ap-2, r, -0x1.ffffef20a4123p-2);
  y = std::fma(-0x1.00ea348b88334p-2, r2, y);
  return static_cast<float>(std::fma(y, r2, base));
}

inline double series(double /*x*/, double last) { return last; }

/// first + x (second + x (third + ...)). No loop, which would keep the one around it from being vectorised.
template <typename... Double>
inline double series(double x, double first, Double... rest) {
  return std::fma(series(x, rest...), x, first);
}

}  // namespace penstock
