// Interleaves rows of several arrays, or repeats a pattern of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace penstock {

/// An array seen as rows of equal size, back to back.
struct RowSource {
  const std::byte* data;
  int64_t row_bytes;
};

/// Writes rows [first, last): each is that row of every source, one after the other. `out` is where row 0 goes.
/// `past_caches` tells that nobody will read the result while it would still be in them.
void interleave(std::byte* out, std::span<const RowSource> sources, int64_t first, int64_t last, bool past_caches);

/// Fills `out` with a pattern over and over; the last one may be cut off.
void repeat(std::byte* out, int64_t bytes, std::span<const std::byte> pattern, bool past_caches);

}  // namespace penstock
