// Uniform numbers and whole numbers made of random 32-bit words. Included by the distributions only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "kernels/elements/convert.h"
#include "kernels/random/philox.h"

// Results are held to another library's, bit for bit: no product may be fused into the sum it feeds.
#if defined(__clang__)
#define PENSTOCK_NO_CONTRACTION _Pragma("clang fp contract(off)")
#elif defined(__GNUC__)
#define PENSTOCK_NO_CONTRACTION _Pragma("GCC optimize(\"fp-contract=off\")")
#else
#define PENSTOCK_NO_CONTRACTION
#endif

namespace penstock {

/// Types of 32 bits and more, float32 excepted, are drawn in double precision from two words each.
inline bool is_drawn_wide(DType dtype) { return item_bytes(dtype) >= 4 && dtype != DType::f32; }

/// A float is made of one word, a double of two.
template <typename Real>
constexpr int kWordsOf = sizeof(Real) / sizeof(uint32_t);

/// One over the number of values such words have.
template <typename Real>
constexpr Real kWordsToUnit = kWordsOf<Real> == 1 ? 0x1p-32f : 0x1p-64f;

/// Two words of element i, from rows `row` and `row + 1` of a tile, as one number, rounded once.
inline double wide_word(const uint32_t* tile, int i, int row = 0) {
  const uint32_t* words = tile + row * kDrawTile + i;
  return static_cast<double>(words[kDrawTile]) * 0x1p32 + static_cast<double>(words[0]);
}

/// A number of at least 0 and below 1.
template <typename Real, typename Words>
Real unit(Words& words) {
  Real word = static_cast<Real>(words());
  if constexpr (kWordsOf<Real> == 2) word += static_cast<Real>(words()) * 0x1p32;
  return std::min(word * kWordsToUnit<Real>, 1 - std::numeric_limits<Real>::epsilon() / 2);
}

/// Two rows of words of a tile as a row of such numbers, or one row for floats.
void unit_row(float* out, const uint32_t* tile, int n);
void unit_row(double* out, const uint32_t* tile, int n);

/// The high half of the product with a word: a number below `count`.
inline uint32_t share(uint32_t word, uint32_t count) { return static_cast<uint32_t>(uint64_t{word} * count >> 32); }

/// Some shares have one word more than others. Words whose product has a low half under `surplus` are passed over,
/// which makes all shares alike.
inline uint32_t even_share(PhiloxReader& words, uint32_t count) {
  const uint32_t surplus = -count % count;
  uint32_t word;
  do word = words();
  while (word * count < surplus);
  return share(word, count);
}

/// A whole number below `count`, all alike.
inline uint64_t index_below(PhiloxReader& words, uint64_t count) {
  const uint64_t last = count - 1;
  if (last < std::numeric_limits<uint32_t>::max()) return even_share(words, static_cast<uint32_t>(count));
  if (last == std::numeric_limits<uint32_t>::max()) return words();
  uint64_t index;
  do {
    const uint64_t high = even_share(words, static_cast<uint32_t>((last >> 32) + 1));
    index = high << 32 | words();
  } while (index > last);
  return index;
}

/// Calls body(first, n) for n elements at a time.
template <int kTile = kDrawTile, typename Body>
void for_tiles(int64_t elements, const Body& body) {
  for (int64_t first = 0; first < elements; first += kTile)
    body(first, static_cast<int>(std::min<int64_t>(kTile, elements - first)));
}

/// Fills `out` with what `body(numbers, tile, n)` makes of each tile of words, converted to the element type.
template <typename Real, typename Body>
void fill_by_tiles(View out, PhiloxTiles& tiles, int words, const Body& body) {
  const ConvertRow convert = rounding_conversion(out.dtype, sizeof(Real) == 4 ? DType::f32 : DType::f64);
  const int64_t item = item_bytes(out.dtype);
  uint32_t tile[4 * kDrawTile];
  Real numbers[kDrawTile];
  for_tiles(out.shape.volume(), [&](int64_t first, int n) {
    tiles.read(tile, first, n, words);
    body(numbers, tile, n);
    convert(out.data + first * item, reinterpret_cast<const std::byte*>(numbers), n);
  });
}

/// n normally distributed numbers, each of two words of a tile, or of four for doubles.
void normal_tile(float* out, const uint32_t* tile, int n, float mean, float stddev);
void normal_tile(double* out, const uint32_t* tile, int n, double mean, double stddev);

}  // namespace penstock
