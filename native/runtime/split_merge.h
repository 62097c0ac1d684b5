// Splits a batch in two by a mask, and merges two batches back in order.
#pragma once

#include <utility>
#include <vector>

#include "memory/samples.h"

namespace penstock {

/// The samples for which `chosen` is set, and the others, each in their order. Small ones are copied to lie together.
std::pair<Samples, Samples> split(const Samples& in, const std::vector<bool>& chosen);

/// For every entry of `chosen` the next sample of `yes` or of `no`; one sample serves all of its side. A side that no
/// sample is taken from may be of any type. Throws where a side has too few or too many.
Samples merge(const Samples& yes, const Samples& no, const std::vector<bool>& chosen);

}  // namespace penstock
