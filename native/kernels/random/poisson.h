// Poisson distributed numbers, as the C++ library of GCC draws them from a sequence of words.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "kernels/random/philox.h"

namespace penstock {

/// Means from here on are drawn by rejection, smaller ones by multiplying.
constexpr double kLargeMean = 12;

/// Of means from here on floats do not show what is drawn; the mean itself does as well.
constexpr double kHugeMean = 0x1p48;

/// exp(1 / 78), the area above 1.
constexpr double kOneArea = 1.0129030479320018583;

/// The logarithm of the factorial of a whole number.
inline double log_of_factorial(double n) {
  static const auto table = [] {
    std::array<double, 2048> made;
    for (size_t i = 0; i < made.size(); ++i) made[i] = std::lgamma(static_cast<double>(i + 1));
    return made;
  }();
  return n < static_cast<double>(table.size()) ? table[static_cast<size_t>(n)] : std::lgamma(n + 1);
}

/// The distribution of one mean from kLargeMean to kHugeMean: Devroye, Non-Uniform Random Variate Generation, X.3.4,
/// with the errata.
struct LargePoisson {
  explicit LargePoisson(double mean);
  double operator()(PhiloxReader& words) const;

  /// Whether x is the number drawn, `whole` aside: w is the logarithm of the majorant and e exponentially distributed.
  bool accepts(double x, double w, double e) const {
    return w - e - x * log_mean <= log_factorial - log_of_factorial(x + whole);
  }

  double whole, root, log_mean, log_factorial;
  double reach, spread, per_cx;  // of the right side: where its tail begins, and how wide it is
  double c1, c2, c_all;          // areas under the left side, the right side too, and all of the majorant
};

/// One number for each of n elements from `first` on. `element` holds their numbers after `first`, which are all alike
/// modulo 4.
void draw_large_poisson(float* out, const int* element, const LargePoisson* const* distribution, int n,
                        PhiloxTiles& tiles, int64_t first);

/// The same for means from 0 to kLargeMean and n up to kDrawBlocks: `limit` is exp(-mean).
void draw_small_poisson(float* out, const int* element, const double* limit, int n, PhiloxTiles& tiles, int64_t first);

}  // namespace penstock
