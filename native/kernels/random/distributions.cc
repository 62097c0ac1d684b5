#include "kernels/random/distributions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>

#include "cpu/newest.h"
#include "kernels/random/draws.h"

namespace penstock {
namespace {

/// Word i of a tile as a whole number.
template <typename Real>
PENSTOCK_INLINE inline Real word(const uint32_t* tile, int i) {
  if constexpr (std::is_same_v<Real, double>)
    return wide_word(tile, i);
  else
    return static_cast<float>(tile[i]);
}

template <typename Real>
PENSTOCK_INLINE inline void spread(Real* out, const uint32_t* tile, int n, Real low, Real scale, Real last) {
  for (int i = 0; i < n; ++i) out[i] = std::min(std::fma(word<Real>(tile, i), scale, low), last);
}

template <typename Real>
PENSTOCK_INLINE inline void unit_numbers(Real* out, const uint32_t* tile, int n) {
  constexpr Real kLast = 1 - std::numeric_limits<Real>::epsilon() / 2;
  for (int i = 0; i < n; ++i) out[i] = std::min(word<Real>(tile, i) * kWordsToUnit<Real>, kLast);
}

PENSTOCK_INLINE inline void mark(float* out, const uint32_t* tile, int n, uint32_t limit) {
  for (int i = 0; i < n; ++i) out[i] = tile[i] <= limit ? 1.0f : 0.0f;
}

template <typename Real>
void fill_uniform_as(View out, PhiloxTiles& tiles, float from, float to) {
  const Real low = from, last = std::nextafter(static_cast<Real>(to), low);
  const Real scale = (last - low) * kWordsToUnit<Real>;
  fill_by_tiles<Real>(out, tiles, kWordsOf<Real>, [=](Real* numbers, const uint32_t* tile, int n) {
    newest<spread<Real>>(numbers, tile, n, low, scale, last);
  });
}

/// The shares of a tile of words; false where one must be passed over, and nothing is said about the others.
PENSTOCK_INLINE inline bool share_evenly(uint32_t* out, const uint32_t* tile, int n, uint32_t count) {
  const uint32_t surplus = -count % count;
  uint32_t passed_over = 0;
  for (int i = 0; i < n; ++i) {
    out[i] = share(tile[i], count);
    passed_over |= tile[i] * count < surplus ? 1U : 0U;
  }
  return passed_over == 0;
}

/// For each pair of words the first place whose sum reaches it. Few sums are faster counted than searched.
PENSTOCK_INLINE inline void find_places(int64_t* out, const uint32_t* tile, int n, std::span<const double> sums) {
  constexpr size_t kFewSums = 24;
  double units[kDrawTile];
  for (int i = 0; i < n; ++i) units[i] = wide_word(tile, i) * kWordsToUnit<double>;
  if (sums.size() > kFewSums) {
    for (int i = 0; i < n; ++i) out[i] = std::lower_bound(sums.begin(), sums.end() - 1, units[i]) - sums.begin();
    return;
  }
  std::fill(out, out + n, 0);
  for (size_t k = 0; k + 1 < sums.size(); ++k) {
    const double sum = sums[k];
    for (int i = 0; i < n; ++i) out[i] += sum < units[i] ? 1 : 0;
  }
}

}  // namespace

void unit_row(float* out, const uint32_t* tile, int n) { newest<unit_numbers<float>>(out, tile, n); }
void unit_row(double* out, const uint32_t* tile, int n) { newest<unit_numbers<double>>(out, tile, n); }

void fill_uniform(View out, PhiloxTiles& tiles, float low, float high) {
  if (is_drawn_wide(out.dtype))
    fill_uniform_as<double>(out, tiles, low, high);
  else
    fill_uniform_as<float>(out, tiles, low, high);
}

void fill_from_values(View out, PhiloxTiles& tiles, std::span<const float> values) {
  const auto count = static_cast<uint32_t>(values.size());
  fill_by_tiles<float>(out, tiles, 1, [=](float* numbers, const uint32_t* tile, int n) {
    for (int i = 0; i < n; ++i) numbers[i] = values[share(tile[i], count)];
  });
}

void fill_coin_flip(View out, PhiloxTiles& tiles, float probability) {
  if (!(probability > 0)) {
    std::fill_n(out.data, out.bytes(), std::byte{0});
    return;
  }
  const double limit = std::min(static_cast<double>(probability) * 0x1p32, 0x1p32 - 1);
  fill_by_tiles<float>(out, tiles, 1, [=](float* numbers, const uint32_t* tile, int n) {
    newest<mark>(numbers, tile, n, static_cast<uint32_t>(limit));
  });
}

void fill_indices(View out, PhiloxTiles& tiles, int64_t count, Draws draws) {
  const auto wide = static_cast<uint64_t>(count);
  const bool fits = draws == Draws::apart && wide <= std::numeric_limits<uint32_t>::max();
  const ConvertRow convert = rounding_conversion(out.dtype, DType::u32),
                   convert_wide = rounding_conversion(out.dtype, DType::u64);
  PhiloxReader words = tiles.reader(0);
  uint32_t tile[kDrawTile], shares[kDrawTile];
  uint64_t indices[kDrawTile];
  for_tiles(out.shape.volume(), [&](int64_t first, int n) {
    std::byte* to = out.data + first * item_bytes(out.dtype);
    if (fits) {
      tiles.read(tile, first, n, 1);
      if (newest<share_evenly>(shares, tile, n, static_cast<uint32_t>(wide)))
        return convert(to, reinterpret_cast<const std::byte*>(shares), n);
    }
    for (int i = 0; i < n; ++i) {
      if (draws == Draws::apart) words = tiles.reader(first + i);
      indices[i] = index_below(words, wide);
    }
    convert_wide(to, reinterpret_cast<const std::byte*>(indices), n);
  });
}

std::vector<double> cumulative(std::span<const float> probabilities) {
  std::vector<double> sums(probabilities.begin(), probabilities.end());
  const double whole = std::accumulate(sums.begin(), sums.end(), 0.0);
  for (double& probability : sums) probability /= whole;
  std::partial_sum(sums.begin(), sums.end(), sums.begin());
  sums.back() = 1;
  return sums;
}

void fill_indices(View out, PhiloxTiles& tiles, std::span<const double> sums, Draws draws) {
  const ConvertRow convert = rounding_conversion(out.dtype, DType::i64);
  uint32_t tile[2 * kDrawTile];
  int64_t indices[kDrawTile];
  PhiloxReader in_a_row = tiles.reader(0);
  for_tiles(out.shape.volume(), [&](int64_t first, int n) {
    if (draws == Draws::apart) tiles.read(tile, first, n, 2);
    if (draws == Draws::in_a_row)
      for (int i = 0; i < n; ++i)
        for (int word = 0; word < 2; ++word) tile[word * kDrawTile + i] = in_a_row();
    newest<find_places>(indices, tile, n, sums);
    convert(out.data + first * item_bytes(out.dtype), reinterpret_cast<const std::byte*>(indices), n);
  });
}

}  // namespace penstock
