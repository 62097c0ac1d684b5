#include <cmath>
#include <optional>
#include <utility>

#include "kernels/distributions.h"
#include "kernels/draws.h"

PENSTOCK_NO_CONTRACTION

namespace penstock {
namespace {

constexpr int64_t kChunk = 65536;

template <typename Real>
Real exponential(TileReader& words) {
  return -std::log(1 - unit<Real>(words));
}

/// Standard normal numbers by Marsaglia's polar method, which makes two at a time and keeps one.
template <typename Real>
class Normal {
 public:
  Real operator()(TileReader& words) {
    if (kept_) return *std::exchange(kept_, std::nullopt);
    Real x, y, squared;
    do {
      x = 2 * unit<Real>(words) - 1;
      y = 2 * unit<Real>(words) - 1;
      squared = x * x + y * y;
    } while (squared > 1 || squared == 0);
    const Real scale = std::sqrt(-2 * std::log(squared) / squared);
    kept_ = x * scale;
    return y * scale;
  }

 private:
  std::optional<Real> kept_;
};

/// Gamma distributed numbers by the method of Marsaglia and Tsang.
template <typename Real>
class Gamma {
 public:
  explicit Gamma(Real shape)
      : shape_(shape), d_((shape < 1 ? shape + 1 : shape) - Real{1} / 3), c_(1 / std::sqrt(9 * d_)) {}

  Real operator()(TileReader& words) {
    Real normal, v, u;
    do {
      do {
        normal = normal_(words);
        v = 1 + c_ * normal;
      } while (v <= 0);
      v = v * v * v;
      u = unit<Real>(words);
    } while (u > 1 - Real(0.0331) * normal * normal * normal * normal &&
             std::log(u) > normal * normal / 2 + d_ * (1 - v + std::log(v)));
    if (shape_ >= 1) return d_ * v;
    do u = unit<Real>(words);
    while (u == 0);
    return std::pow(u, 1 / shape_) * d_ * v;
  }

 private:
  Real shape_, d_, c_;
  Normal<Real> normal_;
};

/// Two gamma numbers, one's share of their sum. Both would vanish for small shapes: there a gamma number of shape + 1
/// is scaled down by exp(-exponential / shape), for both at once so that the larger one stays.
template <typename Real>
void fill_chunk(Real* out, int64_t first, int64_t end, const Philox& sequence, Real alpha, Real beta) {
  const bool small = alpha < 1 && beta < 1;
  Gamma<Real> x(small ? alpha + 1 : alpha), y(small ? beta + 1 : beta);
  // Both gamma numbers take a pair of numbers and another one, unless something is rejected.
  constexpr int kMost = 8 * kWordsOf<Real>;
  uint32_t tile[kMost * kDrawTile];
  for_tiles(end - first, [&](int64_t start, int n) {
    draw_tile(tile, sequence, first + start, n, kMost);
    for (int i = 0; i < n; ++i) {
      TileReader words(tile, kMost, sequence, first + start, i);
      Real a = x(words), b = y(words);
      if (small) {
        const Real of_a = exponential<Real>(words), of_b = exponential<Real>(words);
        const Real lag = (beta / alpha * of_a - of_b) / beta;
        (lag < 0 ? b : a) *= std::exp(-std::abs(lag));
      }
      out[first + start + i] = a / (a + b);
    }
  });
}

// A sample of four chunks and more is divided evenly; normal numbers are not kept from one chunk to the next.
template <typename Real>
void fill_beta_as(Real* out, int64_t n, const Philox& sequence, Real alpha, Real beta) {
  const int64_t chunks = n < 4 * kChunk ? 1 : (n + kChunk - 1) / kChunk;
  for (int64_t k = 0; k < chunks; ++k) fill_chunk(out, n * k / chunks, n * (k + 1) / chunks, sequence, alpha, beta);
}

}  // namespace

void fill_beta(View out, const Philox& sequence, float alpha, float beta) {
  const int64_t n = out.shape.volume();
  if (out.dtype == DType::f64)
    fill_beta_as<double>(out.as<double>(), n, sequence, alpha, beta);
  else
    fill_beta_as<float>(out.as<float>(), n, sequence, alpha, beta);
}

}  // namespace penstock
