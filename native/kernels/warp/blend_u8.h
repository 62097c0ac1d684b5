// Linear interpolation between bytes, in whole numbers. Included by the samplers only.
#pragma once

#include <cstdint>

namespace penstock {

/// Weights of n pixels, packed for instructions that multiply and add pairs: two bytes that sum to kAcross, twice, for
/// the way across, and two 16-bit numbers that sum to kDown for the way down.
struct BlendWeights {
  const uint32_t* across;
  const uint32_t* down;
};

// 255 * 16448 is 2^22, but for a share too small to show. Bytes less 128 times 255 fit into 16 bits with a sign.
constexpr int kAcross = 255, kDown = 16448, kBlendShift = 22;
constexpr int kBlendBias = (128 << kBlendShift) + (1 << (kBlendShift - 1));

/// One element of a pixel at `upper`, with `lower` below it; their neighbours are `right` elements on.
inline uint8_t blend(const uint8_t* upper, const uint8_t* lower, int64_t right, uint32_t across, uint32_t down) {
  const int far = across >> 24, low = down >> 16;
  const int high_row = (upper[0] - 128) * (kAcross - far) + (upper[right] - 128) * far;
  const int low_row = (lower[0] - 128) * (kAcross - far) + (lower[right] - 128) * far;
  return static_cast<uint8_t>((high_row * (kDown - low) + low_row * low + kBlendBias) >> kBlendShift);
}

/// Blends whole groups of the n pixels at data + offset[i], rows being `row` bytes apart; returns how many were done.
/// Pixels of 1, 3 or 4 channels: kBlendReach bytes from the start of each are read in both rows.
using BlendRow = int (*)(uint8_t* out, const uint8_t* data, int64_t row, const int32_t* offset, BlendWeights weights,
                         int n);
constexpr int kBlendReach = 8;

/// The fastest this CPU has; null where it has none.
BlendRow blend_row(int64_t channels);

}  // namespace penstock
