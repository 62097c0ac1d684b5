// Rows of two operands combined element by element.
#pragma once

#include "memory/view.h"

namespace penstock {

enum class Combination : uint8_t {
  add,
  sub,
  mul,
  div,
  quotient,
  remainder,
  pow,
  min,
  max,
  bit_and,
  bit_or,
  bit_xor,
  shift_left,
  shift_right
};

/// Combines n elements of two rows; `out` may be one of them.
using CombineRow = void (*)(std::byte* out, const std::byte* left, const std::byte* right, int64_t n);

/// Both rows have elements of type `dtype`, the result too, but that of a comparison is bool. Integers wrap, divide as
/// in C and are 0 to a negative power; counts of shifts are taken modulo the width of the type, 32 bits at least. A
/// quotient of floats is not rounded. Of NaN and a number, min and max take the right one. Null where there is no such
/// combination.
CombineRow combination(Combination kind, DType dtype);

/// The same where the right row is one element, repeated: a form that gains by it, or null.
CombineRow combination_with_one(Combination kind, DType dtype);

/// The same where the left row is one element.
CombineRow combination_of_one(Combination kind, DType dtype);

/// Moves n elements of `in` into the range between two, as max with `lowest` on the left and then min with `highest`
/// would; `out` may be `in`.
using ClampRow = void (*)(std::byte* out, const std::byte* in, const std::byte* lowest, const std::byte* highest,
                          int64_t n);

/// Null for types that have no form of it.
ClampRow clamp_between(DType dtype);

}  // namespace penstock
