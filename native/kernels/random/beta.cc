#include <cmath>
#include <optional>
#include <utility>

#include "cpu/newest.h"
#include "cpu/vectorize.h"
#include "kernels/random/distributions.h"
#include "kernels/random/draws.h"
#include "kernels/random/logarithm.h"

PENSTOCK_NO_CONTRACTION

namespace penstock {
namespace {

constexpr int64_t kChunk = 65536;

// Two gamma numbers take a pair of numbers and another one each, and small ones two more, unless something is rejected.
constexpr int kUnits = 8;

PENSTOCK_INLINE inline float log_of(float x) { return natural_log(x); }
PENSTOCK_INLINE inline double log_of(double x) { return std::log(x); }

/// Reads the numbers of an element, the first kUnits of which are ready.
template <typename Real>
class UnitReader {
 public:
  UnitReader(const Real* units, const PhiloxTiles& tiles, int64_t element)
      : units_(units), tiles_(tiles), element_(element) {}

  Real operator()() { return next_ < kUnits ? units_[kDrawTile * next_++] : draw(); }

 private:
  // Rarely needed, and called ten times in each of six clones: inlined, compiling this file took six times as long.
  [[gnu::noinline]] Real draw() {
    if (!rest_) rest_ = tiles_.reader(element_, kUnits * kWordsOf<Real>);
    return unit<Real>(*rest_);
  }

  const Real* units_;
  int next_ = 0;
  const PhiloxTiles& tiles_;
  int64_t element_;
  std::optional<PhiloxReader> rest_;
};

/// Standard normal numbers by Marsaglia's polar method, which makes two at a time and keeps one.
template <typename Real>
class Normal {
 public:
  PENSTOCK_INLINE Real operator()(UnitReader<Real>& units) {
    if (kept_) return *std::exchange(kept_, std::nullopt);
    Real x, y, squared;
    do {
      x = 2 * units() - 1;
      y = 2 * units() - 1;
      squared = x * x + y * y;
    } while (squared > 1 || squared == 0);
    const Real scale = std::sqrt(-2 * log_of(squared) / squared);
    kept_ = x * scale;
    return y * scale;
  }
  void forget() { kept_.reset(); }

 private:
  std::optional<Real> kept_;
};

/// Gamma distributed numbers by the method of Marsaglia and Tsang.
template <typename Real>
class Gamma {
 public:
  explicit Gamma(Real shape)
      : shape_(shape), d_((shape < 1 ? shape + 1 : shape) - Real{1} / 3), c_(1 / std::sqrt(9 * d_)) {}

  PENSTOCK_INLINE Real operator()(UnitReader<Real>& units) {
    Real normal, v, u;
    do {
      do {
        normal = normal_(units);
        v = 1 + c_ * normal;
      } while (v <= 0);
      v = v * v * v;
      u = units();
    } while (u > 1 - Real(0.0331) * normal * normal * normal * normal &&
             log_of(u) > normal * normal / 2 + d_ * (1 - v + log_of(v)));
    if (shape_ >= 1) return d_ * v;
    do u = units();
    while (u == 0);
    return std::pow(u, 1 / shape_) * d_ * v;
  }
  void forget() { normal_.forget(); }

 private:
  Real shape_, d_, c_;
  Normal<Real> normal_;
};

/// Two gamma numbers, one's share of their sum. Both would vanish for small shapes: there a gamma number of shape + 1
/// is scaled down by exp(-exponential / shape), for both at once so that the larger one stays.
template <typename Real>
class Beta {
 public:
  Beta(Real alpha, Real beta)
      : alpha_(alpha),
        beta_(beta),
        small_(alpha < 1 && beta < 1),
        x_(small_ ? alpha + 1 : alpha),
        y_(small_ ? beta + 1 : beta) {}

  PENSTOCK_INLINE Real operator()(UnitReader<Real>& units) {
    Real a = x_(units), b = y_(units);
    if (small_) {
      const Real of_a = -log_of(1 - units()), of_b = -log_of(1 - units());
      const Real lag = (beta_ / alpha_ * of_a - of_b) / beta_;
      (lag < 0 ? b : a) *= std::exp(-std::abs(lag));
    }
    return a / (a + b);
  }
  /// Lets go of the normal numbers that are kept for the next element.
  void forget() {
    x_.forget();
    y_.forget();
  }

 private:
  Real alpha_, beta_;
  bool small_;
  Gamma<Real> x_, y_;
};

template <typename Real>
PENSTOCK_INLINE inline void fill_tile(Beta<Real>& beta, Real* out, const Real* units, int n, PhiloxTiles& tiles,
                                      int64_t first) {
  const bool are_strangers = tiles.elements() == PhiloxTiles::Elements::of_a_sample_each;
  for (int i = 0; i < n; ++i) {
    if (are_strangers) beta.forget();
    UnitReader<Real> mine(units + i, tiles, first + i);
    out[i] = beta(mine);
  }
}

// Normal numbers are not kept from one chunk to the next.
template <typename Real>
void fill_chunk(Real* out, int64_t start, int64_t end, PhiloxTiles& tiles, Real alpha, Real beta) {
  Beta<Real> distribution(alpha, beta);
  uint32_t tile[kUnits * kWordsOf<Real> * kDrawTile];
  Real units[kUnits * kDrawTile];
  for_tiles(end - start, [&](int64_t first, int n) {
    tiles.read(tile, start + first, n, kUnits * kWordsOf<Real>);
    for (int k = 0; k < kUnits; ++k) unit_row(units + k * kDrawTile, tile + k * kWordsOf<Real> * kDrawTile, n);
    newest<fill_tile<Real>>(distribution, out + start + first, units, n, tiles, start + first);
  });
}

// A sample of four chunks and more is divided evenly.
template <typename Real>
void fill_beta_as(Real* out, int64_t n, PhiloxTiles& tiles, Real alpha, Real beta) {
  const int64_t chunks = n < 4 * kChunk ? 1 : (n + kChunk - 1) / kChunk;
  for (int64_t k = 0; k < chunks; ++k) fill_chunk(out, n * k / chunks, n * (k + 1) / chunks, tiles, alpha, beta);
}

}  // namespace

void fill_beta(View out, PhiloxTiles& tiles, float alpha, float beta) {
  const int64_t n = out.shape.volume();
  if (out.dtype == DType::f64)
    fill_beta_as<double>(out.as<double>(), n, tiles, alpha, beta);
  else
    fill_beta_as<float>(out.as<float>(), n, tiles, alpha, beta);
}

}  // namespace penstock
