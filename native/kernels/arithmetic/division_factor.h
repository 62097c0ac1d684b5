// Division of i32 by one number as a multiplication (Granlund and Montgomery, 1994).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "cpu/vectorize.h"

namespace penstock {

/// The reciprocal of a divisor in 33 bits, of which `factor` has the lower 32: the first one stands for the dividend
/// itself.
struct DivisionFactor {
  int32_t divisor, factor, shift, sign;  // the sign is -1 for divisors below zero, else 0

  /// `divisor` is not 0.
  explicit DivisionFactor(int32_t by) : divisor(by), sign(by < 0 ? -1 : 0) {
    const auto size = static_cast<uint32_t>(by < 0 ? -int64_t{by} : by);
    const int bits = std::max(static_cast<int>(std::bit_width(size - 1)), 1);
    factor = static_cast<int32_t>(static_cast<uint32_t>((uint64_t{1} << (31 + bits)) / size + 1));
    shift = bits - 1;
  }

  /// Cut towards zero; the lowest number divided by -1 wraps.
  PENSTOCK_INLINE int32_t quotient(int32_t a) const {
    const auto high = static_cast<int32_t>(static_cast<uint64_t>(static_cast<int64_t>(a) * factor) >> 32);
    const auto sum = static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(high));
    const uint32_t cut = static_cast<uint32_t>(sum >> shift) - static_cast<uint32_t>(a >> 31);
    return static_cast<int32_t>((cut ^ static_cast<uint32_t>(sign)) - static_cast<uint32_t>(sign));
  }
};

}  // namespace penstock
