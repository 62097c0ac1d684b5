// Rows of two operands combined element by element.
#pragma once

#include "kernels/view.h"

namespace penstock {

enum class Combination : uint8_t {
  add,
  sub,
  mul,
  div,
  min,
  max,
  equal,
  not_equal,
  less,
  less_equal,
  bit_and,
  bit_or,
  bit_xor
};

constexpr bool is_comparison(Combination kind) { return kind >= Combination::equal && kind <= Combination::less_equal; }

/// Combines n elements of two rows; `out` may be one of them.
using CombineRow = void (*)(std::byte* out, const std::byte* left, const std::byte* right, int64_t n);

/// Both rows have elements of type `dtype`, the result too, but that of a comparison is bool. Integers wrap; of NaN and
/// a number, min and max take the right one. Null where there is no such combination.
CombineRow combination(Combination kind, DType dtype);

}  // namespace penstock
