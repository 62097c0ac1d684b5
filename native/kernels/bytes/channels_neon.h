// RGB bytes to planes and back, by NEON. Included by channels.cc only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/arm_instruction_sets.h"

#ifdef PENSTOCK_NEON

namespace penstock {

/// Sixteen pixels at a time; returns how many of the n pixels were done.
int64_t split_rgb_neon(std::byte* out, int64_t plane, const std::byte* in, int64_t n);
int64_t join_rgb_neon(std::byte* out, const std::byte* in, int64_t plane, int64_t n);

}  // namespace penstock

#endif
