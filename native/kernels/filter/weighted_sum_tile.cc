#include "kernels/filter/weighted_sum_tile.h"

#include <cstring>

#include "cpu/vectorize.h"

namespace penstock {
namespace {

static_assert(kTileRows == 4);

/// Sums for all rows of a tile and so many vectors, which stay in registers. What is loaded serves every row: reading
/// it again for each takes three times as long.
template <int kBytes, int kVectors>
struct Tile {
  typedef float Vector __attribute__((vector_size(kBytes)));
  static constexpr int kLanes = kBytes / sizeof(float);
  Vector sum[kTileRows][kVectors];

  /// Adds a row to results kFirst to kLast; `weights` are those it has in the first result of all.
  template <int kFirst, int kLast>
  PENSTOCK_INLINE inline void add(const float* row, const float* weights, int64_t columns, int64_t step) {
    for (int64_t k = 0; k < columns; ++k, row += step, ++weights) {
      for (int v = 0; v < kVectors; ++v) {
        Vector in;
        std::memcpy(&in, row + v * kLanes, sizeof in);
        for (int j = kFirst; j <= kLast; ++j) sum[j][v] += in * weights[-j * columns];
      }
    }
  }

  PENSTOCK_INLINE inline void make(float* const* out, const float* const* row, const TileWeights& by, int64_t x) {
    for (auto& row_sums : sum)
      for (Vector& each : row_sums) each = Vector{};
    const float* weights = by.weights;
    const int64_t columns = by.columns, step = by.step;
    add<0, 0>(row[0] + x, weights, columns, step);
    add<0, 1>(row[1] + x, weights + columns, columns, step);
    add<0, 2>(row[2] + x, weights + 2 * columns, columns, step);
    for (int64_t i = 3; i < by.rows; ++i) add<0, 3>(row[i] + x, weights + i * columns, columns, step);
    const float* beyond = weights + by.rows * columns;
    add<1, 3>(row[by.rows] + x, beyond, columns, step);
    add<2, 3>(row[by.rows + 1] + x, beyond + columns, columns, step);
    add<3, 3>(row[by.rows + 2] + x, beyond + 2 * columns, columns, step);
    for (int j = 0; j < kTileRows; ++j)
      for (int v = 0; v < kVectors; ++v) std::memcpy(out[j] + x + v * kLanes, &sum[j][v], sizeof(Vector));
  }
};

template <int kBytes, int kVectors>
PENSTOCK_INLINE inline void weighted_sum_tile_in(float* const* out, const float* const* row, const TileWeights& by,
                                                 int64_t n) {
  using Wide = Tile<kBytes, kVectors>;
  using Narrow = Tile<kBytes, 1>;
  int64_t x = 0;
  for (; x + kVectors * Wide::kLanes <= n; x += kVectors * Wide::kLanes) Wide().make(out, row, by, x);
  for (; x + Narrow::kLanes <= n; x += Narrow::kLanes) Narrow().make(out, row, by, x);
  for (; x < n; ++x)
    for (int j = 0; j < kTileRows; ++j) {
      float sum = 0;
      for (int64_t i = 0; i < by.rows; ++i)
        for (int64_t k = 0; k < by.columns; ++k) sum += row[i + j][x + k * by.step] * by.weights[i * by.columns + k];
      out[j][x] = sum;
    }
}

#ifdef PENSTOCK_X86
PENSTOCK_AVX512 void weighted_sum_tile_avx512(float* const* out, const float* const* row, const TileWeights& by,
                                              int64_t n) {
  weighted_sum_tile_in<64, 4>(out, row, by, n);
}
#endif

}  // namespace

void weighted_sum_tile(float* const* out, const float* const* row, const TileWeights& by, int64_t n) {
#ifdef PENSTOCK_X86
  if (kHasAvx512) return weighted_sum_tile_avx512(out, row, by, n);
#endif
  run_wide([=]() PENSTOCK_INLINE { weighted_sum_tile_in<32, 2>(out, row, by, n); });
}

}  // namespace penstock
