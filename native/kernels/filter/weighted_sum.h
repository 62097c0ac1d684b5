// Weighted sums of rows, the inner loop of every linear filter.
#pragma once

#include <cstdint>

namespace penstock {

/// What sums are made in. Fixed16: 8-bit pixels with 6 fractional bits, so that two of them still fit, and weights in
/// units of 2^-15. Whole16: whole numbers of which no sum may leave 16 bits.
struct Fixed16 {
  using Value = int16_t;
  static constexpr int kBits = 6;
};
struct Whole16 {
  using Value = int16_t;
};
struct Float32 {
  using Value = float;
};
struct Float64 {
  using Value = double;
};

/// out[x] = weight[0] * row[radius][x] + the sum over k of weight[k] * (row[radius - k][x] + row[radius + k][x]).
/// With `adds`, the sum is added to what `out` holds.
template <typename Sums, typename Value = typename Sums::Value>
void symmetric_weighted_sum(Value* out, const Value* const* row, const Value* weight, int radius, int64_t n, bool adds);

/// out[x] = the sum over k of weight[k] * row[k][x], for Whole16 and Float32.
template <typename Sums, typename Value = typename Sums::Value>
void weighted_sum(Value* out, const Value* const* row, const Value* weight, int64_t count, int64_t n);

}  // namespace penstock
