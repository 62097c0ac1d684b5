// Batches made of others by moving bytes: joined, filled with a value, with frames in another order.
#pragma once

#include <span>
#include <vector>

#include "memory/samples.h"
#include "runtime/pool.h"

namespace penstock {

enum class Joint { along_axis, along_new_axis };

/// Joins sample i of every input, for all n samples; an input of one sample serves all. Throws for inputs that differ
/// in element type or rank, or in an extent that must agree. `axis` is one of the result.
Samples join(Pool& pool, size_t n, std::span<const Samples* const> inputs, int axis, Joint joint);

/// Fills every sample with its value, element after element in the order they are stored; one value serves all samples.
/// The size of a value divides the size of its sample.
void fill(Pool& pool, const Samples& out, const Samples& values);

/// The parts along the first axis that `orders` tells, one list for every sample or one for all.
Samples rearrange(Pool& pool, const Samples& in, size_t n, const std::vector<std::vector<int64_t>>& orders);

}  // namespace penstock
