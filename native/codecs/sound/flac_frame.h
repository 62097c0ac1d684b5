// One frame of FLAC: a block of samples of all channels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace penstock {

/// What a whole file says of its frames.
struct FlacStream {
  int channels = 0, bits = 0;
};

/// The samples of a frame, one channel after the other.
struct FlacBlock {
  std::vector<int32_t> samples;
  int64_t frames = 0;

  int32_t* channel(int c) { return samples.data() + c * frames; }
};

/// Decodes the frame `bytes` begin with and returns how many of them it has. Throws OutOfBits where they are too few,
/// and std::runtime_error where they are no such frame or damaged.
size_t decode_flac_frame(FlacBlock& block, std::span<const std::byte> bytes, const FlacStream& stream);

}  // namespace penstock
