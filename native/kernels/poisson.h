// Poisson distributed numbers, as the C++ library of GCC draws them from a sequence of words.
#pragma once

#include <cstdint>

#include "kernels/philox.h"

namespace penstock {

/// Means from here on are drawn by rejection, smaller ones by multiplying.
constexpr double kLargeMean = 12;

/// Of means from here on floats do not show what is drawn; the mean itself does as well.
constexpr double kHugeMean = 0x1p48;

/// The distribution of one mean from kLargeMean to kHugeMean: Devroye, Non-Uniform Random Variate Generation, X.3.4,
/// with the errata.
struct LargePoisson {
  explicit LargePoisson(double mean);
  double operator()(PhiloxReader& words) const;

  double whole, root, log_mean, log_factorial;
  double reach, spread, per_cx;  // of the right side: where its tail begins, and how wide it is
  double c1, c2, c_all;          // areas under the left side, the right side too, and all of the majorant
};

/// One number for each of n elements from `first` on, n up to kDrawBlocks. `element` holds their numbers after `first`,
/// which are all alike modulo 4.
void draw_large_poisson(float* out, const int* element, const LargePoisson* const* distribution, int n,
                        const Philox& sequence, int64_t first);

/// The same for means from 0 to kLargeMean: `limit` is exp(-mean).
void draw_small_poisson(float* out, const int* element, const double* limit, int n, const Philox& sequence,
                        int64_t first);

}  // namespace penstock
