#include "kernels/resize/row_kernels.h"

#include <algorithm>
#include <cmath>

#include "kernels/resize/row_kernels_neon.h"
#include "kernels/resize/row_kernels_x86.h"

namespace penstock {
namespace {

template <int kChannels>
void portable_row(int16_t* out, const uint8_t* in, const FixedWeights& axis, int shift) {
  const int16_t* weight = axis.weight.data();
  for (const int32_t start : axis.start) {
    const uint8_t* pixel = in + static_cast<int64_t>(start) * kChannels;
    int32_t sum[kChannels];
    for (int32_t& s : sum) s = 1 << (shift - 1);
    for (int k = 0; k < axis.taps; ++k, pixel += kChannels)
      for (int c = 0; c < kChannels; ++c) sum[c] += weight[k] * pixel[c];
    for (int c = 0; c < kChannels; ++c) *out++ = static_cast<int16_t>(std::clamp(sum[c] >> shift, -32768, 32767));
    weight += axis.taps;
  }
}

void portable_horizontal(std::span<int16_t* const> out, std::span<const uint8_t* const> in,
                         const GroupedWeights& axis) {
  constexpr decltype(&portable_row<1>) by_channels[] = {portable_row<1>, portable_row<2>, portable_row<3>,
                                                        portable_row<4>};
  for (size_t r = 0; r < in.size(); ++r) by_channels[axis.channels - 1](out[r], in[r], *axis.fixed, axis.shift);
}

void portable_vertical(uint8_t* out, std::span<const int16_t* const> rows, const int16_t* weight, int shift,
                       int64_t n) {
  constexpr int64_t kBlock = 64;
  int32_t sum[kBlock];
  for (int64_t x = 0; x < n; x += kBlock) {
    const int64_t columns = std::min(kBlock, n - x);
    std::fill(sum, sum + kBlock, 1 << (shift - 1));
    for (size_t k = 0; k < rows.size(); ++k)
      for (int64_t i = 0; i < columns; ++i) sum[i] += weight[k] * rows[k][x + i];
    for (int64_t i = 0; i < columns; ++i) out[x + i] = static_cast<uint8_t>(std::clamp(sum[i] >> shift, 0, 255));
  }
}

constexpr RowKernels kPortable{"portable", 0, portable_horizontal, portable_vertical};

}  // namespace

void FixedWeights::quantise(const AxisWeights& weights) {
  float largest = 0, most = 0;
  has_negative = false;
  for (size_t i = 0; i < weights.weight.size(); i += weights.taps) {
    float sum = 0;
    for (int k = 0; k < weights.taps; ++k) {
      const float w = weights.weight[i + k];
      has_negative |= w < 0;
      largest = std::max(largest, std::abs(w));
      sum += std::abs(w);
    }
    most = std::max(most, sum);
  }
  // 15 bits unless a weight, with all rounding errors added, or a sum of 16-bit products would not fit.
  bits = largest * 32768.0f + 0.5f * static_cast<float>(weights.taps) < 32766.0f && most < 1.9f ? 15 : 14;
  taps = (weights.taps + 1) / 2 * 2;
  start = weights.start;
  const float one = static_cast<float>(1 << bits);
  weight.assign(start.size() * taps, 0);
  for (size_t x = 0; x < start.size(); ++x) {
    const float* from = weights.weight.data() + x * weights.taps;
    int16_t* to = weight.data() + x * taps;
    int rest = 1 << bits;
    int heaviest = 0;
    for (int k = 0; k < weights.taps; ++k) {
      to[k] = static_cast<int16_t>(from[k] * one + (from[k] < 0 ? -0.5f : 0.5f));
      rest -= to[k];
      if (from[k] > from[heaviest]) heaviest = k;
    }
    to[heaviest] = static_cast<int16_t>(to[heaviest] + rest);
  }
}

// One load must reach two taps of every pixel of the group.
int GroupedWeights::pixels_per_group(const FixedWeights& weights, int channels, int lanes) {
  const int64_t window = 4 * lanes;
  const int64_t count = static_cast<int64_t>(weights.start.size());
  for (int pixels = lanes / channels; pixels > 1; --pixels) {
    bool fits = true;
    for (int64_t x = 0; x < count && fits; x += pixels) {
      const int64_t last = std::min(x + pixels, count) - 1;
      fits = (std::abs(weights.start[last] - weights.start[x]) + int64_t{2}) * channels <= window;
    }
    if (fits) return pixels;
  }
  return 1;
}

void GroupedWeights::group(const FixedWeights& weights, int channel_count, int fraction, int lanes) {
  fixed = &weights;
  channels = channel_count;
  shift = weights.bits - fraction;
  pairs = weights.taps / 2;
  if (lanes == 0) return;
  pixels = pixels_per_group(weights, channels, lanes);
  const int64_t count = static_cast<int64_t>(weights.start.size());
  const int64_t groups = (count + pixels - 1) / pixels;
  offset.resize(groups);
  shuffle.assign(groups * lanes * 4, 0x80);
  weight.assign(groups * pairs * lanes * 2, 0);
  for (int64_t g = 0; g < groups; ++g) {
    const int64_t first = g * pixels;
    const int64_t last = std::min(first + pixels, count) - 1;
    const int32_t base = std::min(weights.start[first], weights.start[last]);
    offset[g] = base * channels;
    for (int64_t x = first; x <= last; ++x) {
      for (int c = 0; c < channels; ++c) {
        const int64_t lane = (x - first) * channels + c;
        uint8_t* bytes = shuffle.data() + (g * lanes + lane) * 4;
        bytes[0] = static_cast<uint8_t>((weights.start[x] - base) * channels + c);
        bytes[2] = static_cast<uint8_t>(bytes[0] + channels);
        for (int k = 0; k < weights.taps; ++k)
          weight[((g * pairs + k / 2) * lanes + lane) * 2 + k % 2] = weights.weight[x * weights.taps + k];
      }
    }
  }
}

// Never destroyed: daemon threads may still be at work while the process exits.
std::span<const RowKernels> row_kernels() {
  static const auto* const usable = [] {
    auto* const kernels = new std::vector<RowKernels>(x86_row_kernels());
#ifdef PENSTOCK_NEON
    kernels->push_back(kNeonRowKernels);
#endif
    kernels->push_back(kPortable);
    return kernels;
  }();
  return *usable;
}

}  // namespace penstock
