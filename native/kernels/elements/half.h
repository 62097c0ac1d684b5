// IEEE half precision in portable code. The bit arithmetic rounds as the F16C and NEON instructions do.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace penstock {

struct Half {
  uint16_t bits;
};

/// To the nearest half, ties to even; beyond 65504 infinite.
inline Half to_half(float value) {
  const uint32_t all = std::bit_cast<uint32_t>(value);
  const uint32_t x = all & 0x7fffffffu;
  // Adding 0.5 moves the last bit a subnormal half keeps to the end of the float's significand, rounded.
  const uint32_t subnormal = std::bit_cast<uint32_t>(std::bit_cast<float>(x) + 0.5f) - 0x3f000000u;
  const uint32_t normal = (x + 0xc8000fffu + (x >> 13 & 1)) >> 13;
  const uint32_t special = x > 0x7f800000u ? 0x7e00u | (x >> 13 & 0x3ffu) : 0x7c00u;
  const uint32_t finite = x < 0x38800000u ? subnormal : normal;
  return {static_cast<uint16_t>((all >> 16 & 0x8000u) | (x >= 0x47800000u ? special : finite))};
}

/// Rounded once: a float rounded to odd on the way keeps what decides a tie.
inline Half to_half(double value) {
  const float nearest = static_cast<float>(value);
  uint32_t bits = std::bit_cast<uint32_t>(nearest);
  if (static_cast<double>(nearest) != value && value == value && bits % 2 == 0) {
    bits += std::abs(static_cast<double>(nearest)) > std::abs(value) ? -1u : 1u;
  }
  return to_half(std::bit_cast<float>(bits));
}

inline float to_float(Half half) {
  const uint32_t x = (half.bits & 0x7fffu) << 13;
  const uint32_t exponent = x & 0x0f800000u;
  const uint32_t rebased = x + 0x38000000u;
  const uint32_t special = rebased + 0x38000000u;
  const uint32_t subnormal =
      std::bit_cast<uint32_t>(std::bit_cast<float>(rebased + 0x00800000u) - std::bit_cast<float>(0x38800000u));
  const uint32_t magnitude = exponent == 0x0f800000u ? special : exponent == 0 ? subnormal : rebased;
  return std::bit_cast<float>(magnitude | static_cast<uint32_t>(half.bits & 0x8000u) << 16);
}

}  // namespace penstock
