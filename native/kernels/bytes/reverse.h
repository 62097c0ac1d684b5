// Pieces of a few bytes in reverse order.
#pragma once

#include <cstddef>
#include <cstdint>

namespace penstock {

/// Writes n pieces of `bytes` bytes in reverse order. The arrays do not overlap.
void reverse(std::byte* out, const std::byte* in, int64_t n, int64_t bytes);

}  // namespace penstock
