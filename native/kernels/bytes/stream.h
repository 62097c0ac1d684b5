// Streaming copies, which write past the caches: for results larger than those, no line is read only to be overwritten.
#pragma once

#include <cstddef>
#include <cstdint>

namespace penstock {

/// A larger batch has left the caches before anybody reads it; normalising it past them takes 0.7 times as long.
constexpr int64_t kPastCachesFromBytes = 16 << 20;

/// Shorter rows gain nothing past the caches: of the lines at their ends only a part is written.
constexpr int64_t kShortestStreamedRow = 768;

using CopyBytes = void (*)(std::byte* out, const std::byte* in, int64_t bytes);

/// Copies without leaving the copy in the caches, but for the lines it fills in part. `finish_streams` must follow
/// before another thread may read it.
void stream(std::byte* out, const std::byte* in, int64_t bytes);

/// The same with zeros, where that is quicker than to leave them in the caches.
void stream_zeros(std::byte* out, int64_t bytes);

void finish_streams();

/// `stream` or plain copying.
CopyBytes copying(bool past_caches);

}  // namespace penstock
