// Interleaved pixels to planes and back.
#pragma once

#include <cstddef>
#include <cstdint>

namespace penstock {

/// Splits n pixels of `channels` elements of `item` bytes into planes, which lie `plane` bytes apart.
void split_channels(std::byte* out, int64_t plane, const std::byte* in, int64_t n, int64_t channels, int64_t item);

/// Joins planes, which lie `plane` bytes apart, into n pixels.
void join_channels(std::byte* out, const std::byte* in, int64_t plane, int64_t n, int64_t channels, int64_t item);

}  // namespace penstock
