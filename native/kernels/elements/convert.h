// Conversion between element types: of a value, and of rows of them.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "kernels/elements/half.h"
#include "memory/view.h"

namespace penstock {

/// A byte that is true unless it is zero.
struct Bool {
  uint8_t byte;
};

/// The C++ type of an element type, as `visit(dtype, []<typename T>() {...})`.
template <typename Body>
decltype(auto) visit(DType dtype, Body&& body) {
  switch (dtype) {
    case DType::u8:
      return body.template operator()<uint8_t>();
    case DType::u16:
      return body.template operator()<uint16_t>();
    case DType::u32:
      return body.template operator()<uint32_t>();
    case DType::u64:
      return body.template operator()<uint64_t>();
    case DType::i8:
      return body.template operator()<int8_t>();
    case DType::i16:
      return body.template operator()<int16_t>();
    case DType::i32:
      return body.template operator()<int32_t>();
    case DType::i64:
      return body.template operator()<int64_t>();
    case DType::f16:
      return body.template operator()<Half>();
    case DType::f32:
      return body.template operator()<float>();
    case DType::f64:
      return body.template operator()<double>();
    case DType::boolean:
      break;
  }
  return body.template operator()<Bool>();
}

/// An element as a number to calculate with.
template <typename T>
auto number(T value) {
  if constexpr (std::is_same_v<T, Half>)
    return to_float(value);
  else if constexpr (std::is_same_v<T, Bool>)
    return static_cast<uint8_t>(value.byte != 0);
  else
    return value;
}

/// A whole number of type To, saturated. Floats are cut off after the point; NaN becomes the lowest number.
template <typename To, typename From>
To saturated(From value) {
  using Limits = std::numeric_limits<To>;
  if constexpr (std::is_integral_v<From>) {
    if (std::cmp_less(value, Limits::min())) return Limits::min();
    if (std::cmp_greater(value, Limits::max())) return Limits::max();
    return static_cast<To>(value);
  } else if constexpr (sizeof(To) < 4) {
    const From low = value > static_cast<From>(Limits::min()) ? value : static_cast<From>(Limits::min());
    const From both = low < static_cast<From>(Limits::max()) ? low : static_cast<From>(Limits::max());
    return static_cast<To>(static_cast<int32_t>(both));
  } else {
    // The largest 64-bit number is no float: what reaches the power of two above it saturates.
    const double wide = value, above = std::ldexp(1.0, Limits::digits);
    if (wide >= above) return Limits::max();
    return wide > static_cast<double>(Limits::min()) ? static_cast<To>(wide) : Limits::min();
  }
}

/// To the nearest whole number, halves away from zero. The addend is the largest float below a half: with a half
/// itself the sum could round up past the next whole number.
template <typename Float>
Float half_away(Float value) {
  return value + std::copysign(Float{0.5} - std::numeric_limits<Float>::epsilon() / 4, value);
}

/// The same as an i32, saturated; NaN becomes the lowest number. In single precision, which is exact here and takes
/// half the time of doubles: what is added is less than half the distance of floats that have no fraction.
inline int32_t rounded_i32(float value) {
  constexpr float kAbove = 2147483648.0f, kMost = 2147483520.0f;  // the last float below it
  const float x = half_away(value);
  const float low = x > -kAbove ? x : -kAbove;
  const auto whole = static_cast<int32_t>(low < kMost ? low : kMost);
  return x >= kAbove ? std::numeric_limits<int32_t>::max() : whole;
}

/// Conversion as `cast` does it: rounded and saturated to integers, infinite beyond the range of floats, and to bool
/// true where the value does not round to zero.
template <typename To, typename From>
To rounded(From value) {
  const auto x = number(value);
  using Number = std::remove_const_t<decltype(x)>;
  if constexpr (std::is_same_v<To, From>)
    return value;
  else if constexpr (std::is_same_v<To, Bool>)
    return {static_cast<uint8_t>(std::is_integral_v<Number> ? x != 0 : !(std::abs(static_cast<double>(x)) < 0.5))};
  else if constexpr (std::is_same_v<To, Half>)
    return to_half(static_cast<std::conditional_t<std::is_same_v<Number, double>, double, float>>(x));
  else if constexpr (std::is_floating_point_v<To>)
    return static_cast<To>(x);
  else if constexpr (std::is_integral_v<Number>)
    return saturated<To>(x);
  else if constexpr (std::is_same_v<To, int32_t> && std::is_same_v<Number, float>)
    return rounded_i32(x);
  else if constexpr (sizeof(To) >= 4)
    return saturated<To>(half_away(static_cast<double>(x)));
  else if constexpr (std::is_unsigned_v<To>)  // what rounds below zero becomes zero, whichever way it rounds
    return saturated<To>(x + (Number{0.5} - std::numeric_limits<Number>::epsilon() / 4));
  else
    return saturated<To>(half_away(x));
}

/// Conversion as `crop` and `slice` do it, and fill values are taken: cut off after the point and kept in the range.
template <typename To, typename From>
To clamped(From value) {
  const auto x = number(value);
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (std::is_same_v<To, Bool>) {
    return {static_cast<uint8_t>(x != 0)};
  } else if constexpr (std::is_same_v<To, Half>) {
    const auto wide = static_cast<std::conditional_t<std::is_same_v<decltype(x), const double>, double, float>>(x);
    return to_half(wide > 65504 ? 65504 : wide < -65504 ? -65504 : wide);
  } else if constexpr (std::is_same_v<To, float> && std::is_same_v<From, double>) {
    constexpr double kMax = std::numeric_limits<float>::max();
    return static_cast<float>(x > kMax ? kMax : x < -kMax ? -kMax : x);
  } else if constexpr (std::is_floating_point_v<To>) {
    return static_cast<To>(x);
  } else {
    return saturated<To>(x);
  }
}

using ConvertRow = void (*)(std::byte* out, const std::byte* in, int64_t n);

/// `rounded` over n elements, between any two element types.
ConvertRow rounding_conversion(DType to, DType from);
/// `clamped` over n elements: to the same type, u8, f16 or f32.
ConvertRow clamping_conversion(DType to, DType from);
/// A copy past the caches; `finish_streams` must follow.
ConvertRow streaming_copy(DType dtype);

/// `value` as one element of type `to`, cut off and saturated.
void put_clamped(std::byte* element, DType to, float value);

}  // namespace penstock
