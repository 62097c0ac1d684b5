// Pieces of a few bytes in reverse order, by NEON. Included by reverse.cc only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/arm_instruction_sets.h"

#ifdef PENSTOCK_NEON

namespace penstock {

/// Begins with the last of the n pieces of `in`; returns how many were written. Pieces have 1, 2, 3, 4, 6 or 8 bytes.
template <int kBytes>
int64_t reverse_neon(std::byte* out, const std::byte* in, int64_t n);

}  // namespace penstock

#endif
