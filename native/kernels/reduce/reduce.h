// Folds an array along chosen axes into one number for each place that is left.
#pragma once

#include "memory/view.h"

namespace penstock {

/// What the elements of a place are folded into. Sums of integers are exact (modulo 2^64); `real_sum` and the squares
/// are made in double precision, after at most a few dozen elements in the precision that holds them well.
enum class Fold : uint8_t { sum, real_sum, squares, deviations, least, greatest };

/// The type of a folded array: f64, i64 or u64, or for the least and the greatest the elements' own.
DType fold_dtype(Fold fold, DType element);

/// Folds `in`, which is not f16, f64 or boolean, along the axes in `mask`; `out` has type `fold_dtype` and one element
/// for each of the reduced shape. `deviations` are squared distances from `centre`, which has one element per place.
void fold_axes(View out, Fold fold, ConstView in, unsigned mask, const float* centre = nullptr);

}  // namespace penstock
