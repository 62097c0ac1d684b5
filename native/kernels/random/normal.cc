#include <bit>
#include <cmath>
#include <numbers>

#include "cpu/newest.h"
#include "kernels/random/distributions.h"
#include "kernels/random/draws.h"
#include "kernels/random/logarithm.h"

namespace penstock {
namespace {

// The cosine is that of glibc too, see logarithm.h.

/// The cosine of x between 0 and 2 pi.
inline float cosine(float x) {
  const auto scaled = static_cast<int32_t>(static_cast<double>(x) * 0x1.45f306dc9c883p+23);
  const int32_t quadrant = (scaled + 0x800000) >> 24;
  const double y = std::fma(-static_cast<double>(quadrant), 0x1.921fb54442d18p+0, static_cast<double>(x));
  const double y2 = y * y, y3 = y * y2, y4 = y2 * y2;
  double sine = std::fma(y3, -0x1.555545995a603p-3, y);
  sine = std::fma(y3 * y2, std::fma(y2, -0x1.994eb3774cf24p-13, 0x1.1107605230bc4p-7), sine);
  double cosine = std::fma(y4, 0x1.55553e1068f19p-5, std::fma(y2, -0x1.ffffffd0c621cp-2, 1.0));
  cosine = std::fma(y4 * y2, std::fma(y2, 0x1.99343027bf8c3p-16, -0x1.6c087e89a359dp-10), cosine);
  // Chosen and negated by bits: a branch would keep the loop around it from being vectorised.
  const uint64_t odd = -static_cast<uint64_t>(quadrant & 1), minus = static_cast<uint64_t>((quadrant + 1) & 2) << 62;
  const uint64_t bits = (std::bit_cast<uint64_t>(sine) & odd) | (std::bit_cast<uint64_t>(cosine) & ~odd);
  return static_cast<float>(std::bit_cast<double>(bits ^ minus));
}

// Double precision is held to three units in the last place: sums of the plain series, which vectorise as well.

/// The logarithm of a positive, normal x: 2 artanh(s) for s = (m - 1) / (m + 1), m being x scaled to about 1.
inline double natural_log_double(double x) {
  constexpr uint64_t kRootHalf = 0x3fe6a09e667f3bcd;
  const uint64_t bits = std::bit_cast<uint64_t>(x), offset = bits - kRootHalf;
  const auto exponent = static_cast<double>(static_cast<int64_t>(offset) >> 52);
  const double mantissa = std::bit_cast<double>(bits - (offset & 0xfff0000000000000)), f = mantissa - 1;
  const double s = f / (mantissa + 1), s2 = s * s;
  const double odd =
      series(s2, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21);
  // f - s f is 2 s, with the rounding of the quotient in a term that is small beside f.
  const double tail = std::fma(s, std::fma(2 * s2, odd, -f), f);
  return std::fma(exponent, 0x1.62e42fefa39efp-1, std::fma(exponent, 0x1.abc9e3b39803fp-56, tail));
}

/// The cosine of x between 0 and 2 pi.
inline double cosine(double x) {
  const auto quadrant = static_cast<int32_t>(std::fma(x, 2 / std::numbers::pi, 0.5));
  const double turns = -static_cast<double>(quadrant);
  const double high = std::fma(turns, 0x1.921fb54442d18p+0, x), y = std::fma(turns, 0x1.1a62633145c07p-54, high);
  const double rest = std::fma(turns, 0x1.1a62633145c07p-54, high - y), y2 = y * y;
  const double odd_terms = series(y2, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800,
                                  -1.0 / 1307674368000, 1.0 / 355687428096000);
  const double even_terms = series(y2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600,
                                   -1.0 / 87178291200, 1.0 / 20922789888000);
  const double sine = std::fma(y * y2, odd_terms, rest) + y;
  const double half = y2 / 2, near_one = 1 - half;
  const double cosine = near_one + std::fma(y2 * y2, even_terms, (1 - near_one) - half - y * rest);
  const uint64_t odd = -static_cast<uint64_t>(quadrant & 1), minus = static_cast<uint64_t>((quadrant + 1) & 2) << 62;
  const uint64_t bits = (std::bit_cast<uint64_t>(sine) & odd) | (std::bit_cast<uint64_t>(cosine) & ~odd);
  return std::bit_cast<double>(bits ^ minus);
}

PENSTOCK_INLINE inline void normal_floats(float* out, const uint32_t* tile, int n, float mean, float stddev) {
  constexpr float kTurn = 2 * std::numbers::pi_v<float>;
  for (int i = 0; i < n; ++i) {
    const float radius = std::sqrt(-2 * natural_log(static_cast<float>(tile[i]) * kWordsToUnit<float>));
    const float angle = kTurn * (static_cast<float>(tile[kDrawTile + i]) * kWordsToUnit<float>);
    out[i] = std::fma(radius * cosine(angle), stddev, mean);
  }
}

PENSTOCK_INLINE inline void normal_doubles(double* out, const uint32_t* tile, int n, double mean, double stddev) {
  constexpr double kTurn = 2 * std::numbers::pi;
  for (int i = 0; i < n; ++i) {
    const double radius = std::sqrt(-2 * natural_log_double(wide_word(tile, i) * kWordsToUnit<double>));
    const double angle = kTurn * (wide_word(tile, i, 2) * kWordsToUnit<double>);
    out[i] = std::fma(radius * cosine(angle), stddev, mean);
  }
}

template <typename Real>
void fill_normal_as(View out, PhiloxTiles& tiles, float mean, float stddev) {
  fill_by_tiles<Real>(out, tiles, 2 * kWordsOf<Real>,
                      [=](Real* numbers, const uint32_t* tile, int n) { normal_tile(numbers, tile, n, mean, stddev); });
}

}  // namespace

void normal_tile(float* out, const uint32_t* tile, int n, float mean, float stddev) {
  newest<normal_floats>(out, tile, n, mean, stddev);
}

void normal_tile(double* out, const uint32_t* tile, int n, double mean, double stddev) {
  newest<normal_doubles>(out, tile, n, mean, stddev);
}

void fill_normal(View out, PhiloxTiles& tiles, float mean, float stddev) {
  if (is_drawn_wide(out.dtype))
    fill_normal_as<double>(out, tiles, mean, stddev);
  else
    fill_normal_as<float>(out, tiles, mean, stddev);
}

}  // namespace penstock
