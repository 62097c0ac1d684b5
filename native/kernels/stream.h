// Writing past the caches, for results that are larger than they are: no line is read only to be overwritten.
#pragma once

#include <cstddef>
#include <cstdint>

namespace penstock {

/// A larger batch has left the caches before anybody reads it; normalising it past them takes 0.7 times as long.
constexpr int64_t kPastCachesFromBytes = 16 << 20;

/// Shorter rows take longer past the caches, since lines at their ends are written in parts.
constexpr int64_t kShortestStreamedRow = 1536;

/// Copies without leaving the copy in the caches. `finish_streams` must follow before another thread may read it.
void stream(std::byte* out, const std::byte* in, int64_t bytes);

void finish_streams();

}  // namespace penstock
