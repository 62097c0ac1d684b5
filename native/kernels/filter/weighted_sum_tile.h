// Weighted sums of neighbouring rows for several results at once: what large filters spend their time on.
#pragma once

#include <cstdint>

namespace penstock {

constexpr int kTileRows = 4;

/// Weights for each of so many rows and columns, which lie `step` elements apart.
struct TileWeights {
  const float* weights;
  int64_t rows, columns, step;
};

/// out[j][x] = the sum over i and k of weights[i * columns + k] * row[i + j][x + k * step], for kTileRows rows and n
/// elements. There are at least as many rows of weights, and kTileRows - 1 more of `row`.
void weighted_sum_tile(float* const* out, const float* const* row, const TileWeights& by, int64_t n);

}  // namespace penstock
