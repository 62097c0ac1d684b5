// The two passes of 8-bit resampling in 16-bit fixed point, one implementation per instruction set.
// Sums are exact in 32 bits, so every implementation gives the same pixels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/resize/interpolation_filters.h"

namespace penstock {

/// AxisWeights as integers that add up to exactly 1 << bits. `taps` is even, so that weights are used in pairs;
/// a window may reach one zero-weighted pixel past the end of the input.
struct FixedWeights {
  int taps = 0;
  int bits = 0;
  bool has_negative = false;
  std::vector<int32_t> start;
  std::vector<int16_t> weight;

  void quantise(const AxisWeights& weights);
};

/// FixedWeights of the horizontal pass, laid out for byte shuffles: a group of neighbouring output pixels shares one
/// load per pair of taps, and each 32-bit lane (one channel of one pixel) picks its two bytes from it.
struct GroupedWeights {
  int channels = 0;
  int pixels = 0;  // output pixels in a group
  int pairs = 0;
  int shift = 0;
  const FixedWeights* fixed = nullptr;
  std::vector<int32_t> offset;   // per group: byte in the input row where its first load begins
  std::vector<uint8_t> shuffle;  // per group: 4 * lanes byte indices, 0x80 for zero
  std::vector<int16_t> weight;   // per group and pair: 2 * lanes weights

  /// How many pixels a group of so many lanes can hold.
  static int pixels_per_group(const FixedWeights& weights, int channels, int lanes);

  /// `fraction` is the number of fractional bits of the results; `lanes` may be 0 for kernels that need no groups.
  void group(const FixedWeights& weights, int channel_count, int fraction, int lanes);
};

/// Bytes past the end of an input row, and past the end of an intermediate row, that kernels may touch.
constexpr int64_t kRowPadding = 64;

struct RowKernels {
  const char* name;
  int lanes;  // as GroupedWeights::group takes it

  /// Resamples rows of `axis.channels` bytes a pixel into rows of 16-bit fixed point.
  void (*horizontal)(std::span<int16_t* const> out, std::span<const uint8_t* const> in, const GroupedWeights& axis);

  /// Makes one row of `n` bytes from as many 64-byte aligned intermediate rows as there are weights (an even number).
  void (*vertical)(uint8_t* out, std::span<const int16_t* const> rows, const int16_t* weight, int shift, int64_t n);
};

/// All that this CPU can run, best first; the last one is portable C++.
std::span<const RowKernels> row_kernels();

}  // namespace penstock
