// Random orders of a batch.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/random/philox.h"

namespace penstock {

/// The numbers from 0 to out.size() - 1, each once; with `moves_all`, none at its own place.
void fill_permutation(std::span<int32_t> out, const Philox& sequence, bool moves_all);

/// Any numbers from 0 to out.size() - 1; with `moves_all`, none at its own place.
void fill_choices(std::span<int32_t> out, const Philox& sequence, bool moves_all);

}  // namespace penstock
