// Pieces in the opposite order with the vectors of AVX-512.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/instruction_sets.h"

#ifdef PENSTOCK_X86

namespace penstock {

/// As `reverse`, for n pieces of kBytes each.
template <int kBytes>
PENSTOCK_AVX512_VNNI void reverse_avx512(std::byte* out, const std::byte* in, int64_t n);

}  // namespace penstock

#endif
