#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/random/draws.h"
#include "kernels/random/poisson.h"

namespace penstock {
namespace {

constexpr double kQuarterTurn = std::numbers::pi / 4;

/// Normally distributed numbers, made two at a time by Marsaglia's polar method.
class PolarNormal {
 public:
  double operator()(PhiloxReader& words) {
    if (has_other_) {
      has_other_ = false;
      return other_;
    }
    double x, y, square;
    do {
      x = 2 * unit<double>(words) - 1;
      y = 2 * unit<double>(words) - 1;
      square = x * x + y * y;
    } while (square > 1 || square == 0);
    const double factor = std::sqrt(-2 * std::log(square) / square);
    other_ = x * factor;
    has_other_ = true;
    return y * factor;
  }

 private:
  bool has_other_ = false;
  double other_ = 0;
};

}  // namespace

LargePoisson::LargePoisson(double mean) {
  whole = std::floor(mean);
  root = std::sqrt(whole);
  log_mean = std::log(mean);
  log_factorial = log_of_factorial(whole);
  const double wanted = std::sqrt(2 * whole * std::log(32 * whole / kQuarterTurn));
  reach = std::round(std::max(6.0, std::min(whole, wanted)));
  const double cx = 2 * whole + reach;
  spread = std::sqrt(cx / 2);
  per_cx = 1 / cx;
  c1 = root * 1.2533141373155002512;  // sqrt(pi / 2)
  c2 = std::sqrt(kQuarterTurn * cx) * std::exp(per_cx) + c1;
  c_all = 2 * cx * std::exp(-reach * per_cx * (1 + reach / 2)) / reach + (c2 + 1 + 1 + kOneArea);
}

double LargePoisson::operator()(PhiloxReader& words) const {
  PolarNormal normal;
  for (;;) {
    const double u = c_all * unit<double>(words), e = -std::log(1 - unit<double>(words));
    double x, w = 0;
    if (u <= c1) {
      const double n = normal(words);
      x = std::floor(-std::abs(n) * root - 1);
      w = -n * n / 2;
      if (x < -whole) continue;
    } else if (u <= c2) {
      const double y = 1 + std::abs(normal(words)) * spread;
      x = std::ceil(y);
      w = y * (2 - y) * per_cx;
      if (x > reach) continue;
    } else if (u <= c2 + 1) {
      x = -1;
    } else if (u <= c2 + 1 + 1) {
      x = 0;
    } else if (u <= c2 + 1 + 1 + kOneArea) {
      x = 1;
      w = 1.0 / 78;
    } else {
      const double v = -std::log(1 - unit<double>(words));
      const double y = reach + v * 2 * (2 * whole + reach) / reach;
      x = std::ceil(y);
      w = -reach * per_cx * (1 + y / 2);
    }
    if (accepts(x, w, e)) return x + whole;
  }
}

}  // namespace penstock
