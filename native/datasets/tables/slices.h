// Samples cut out of long arrays: the rows of a table's column.
#pragma once

#include <span>
#include <vector>

#include "memory/samples.h"
#include "runtime/pool.h"

namespace penstock {

/// A sample: `count` rows from `begin` on of the array with number `array`.
struct Slice {
  size_t array;
  int64_t begin, count;
};

/// Copies slices of arrays of one dtype whose rows have shape `row`. A sample has an axis of rows only where their
/// number may vary; else its one row is the sample.
Samples take_slices(Pool& pool, std::span<const ConstView> arrays, std::span<const Slice> slices, const Shape& row,
                    bool varying);

}  // namespace penstock
