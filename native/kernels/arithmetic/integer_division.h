// Rows of integers divided by others.
#pragma once

#include "kernels/arithmetic/elementwise.h"

namespace penstock {

/// Quotients cut towards zero, and remainders with the sign of the dividend; the lowest number divided by -1 wraps.
/// Throws std::invalid_argument for a divisor of 0. Null for other types than integers.
CombineRow quotient_row(DType dtype);
CombineRow remainder_row(DType dtype);

/// The same by a single element: the row of divisors need have no other.
CombineRow quotient_by_one_row(DType dtype);
CombineRow remainder_by_one_row(DType dtype);

}  // namespace penstock
