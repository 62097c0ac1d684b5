// Reduces an array along chosen axes to one number for each position that is left.
#pragma once

#include "memory/view.h"

namespace penstock {

/// What the elements of a position are reduced to. Sums of integers are exact (modulo 2^64); `real_sum` and the squares
/// are made in double precision, after at most a few dozen elements in the precision that holds them well.
enum class Accumulation : uint8_t { sum, real_sum, squares, deviations, least, greatest };

/// The type of a reduced array: f64, i64 or u64, or for the least and the greatest the elements' own.
DType accumulated_dtype(Accumulation accumulation, DType element);

/// Reduces `in`, which is not f16, f64 or boolean, along the axes in `mask`; `out` has type `accumulated_dtype` and one
/// element for each of the reduced shape. `deviations` are squared distances from `centre`, which has one element per
/// position.
void reduce_axes(View out, Accumulation accumulation, ConstView in, unsigned mask, const float* centre = nullptr);

}  // namespace penstock
