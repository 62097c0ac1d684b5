#include "kernels/reduce/normalize_step.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "kernels/reduce/moments.h"
#include "memory/shape_text.h"

namespace penstock {
namespace {

/// Spreads a given parameter over all places.
void put_given(double* out, const Shape& places, const std::vector<Normalize::Parameter>& all, size_t sample) {
  const Normalize::Parameter& own = all[all.size() == 1 ? 0 : sample];
  const int64_t count = places.volume();
  if (own.values.size() == 1) {
    std::fill(out, out + count, own.values[0]);
  } else if (own.shape == places) {
    std::copy(own.values.begin(), own.values.end(), out);
  } else {
    throw std::runtime_error("Normalize: parameter shape: " + text(own.shape) +
                             " does not match the reduced input sample shape which is: " + text(places));
  }
}

}  // namespace

void Normalize::put_mean(double* mean, const Shape& places, size_t sample, ConstView in) const {
  if (!options_.mean.empty()) return put_given(mean, places, options_.mean, sample);
  const int64_t count = places.volume();
  std::fill(mean, mean + count, 0.0);
  add_sums(mean, in, options_.mask);
  for (int64_t k = 0; k < count; ++k) mean[k] /= static_cast<double>(in.shape.volume() / count);
}

void Normalize::put_inverse(double* inverse, const double* mean, const Shape& places, size_t sample,
                            ConstView in) const {
  const double epsilon = options_.epsilon;
  const int64_t count = places.volume();
  if (!options_.stddev.empty()) {
    put_given(inverse, places, options_.stddev, sample);
    for (int64_t k = 0; k < count; ++k)
      inverse[k] = options_.scale / (epsilon == 0 ? inverse[k] : std::sqrt(inverse[k] * inverse[k] + epsilon));
    return;
  }
  std::fill(inverse, inverse + count, 0.0);
  add_squares(inverse, in, options_.mask, mean);
  const int64_t freedom = in.shape.volume() / count - options_.ddof;
  for (int64_t k = 0; k < count; ++k) {
    const double variance = (freedom > 0 ? inverse[k] / static_cast<double>(freedom) : 0) + epsilon;
    inverse[k] = variance != 0 ? options_.scale / std::sqrt(variance) : 0;
  }
}

void Normalize::run(size_t sample, View out, ConstView in, Scratch& scratch) const {
  if (in.shape.volume() == 0) return;
  const Shape places = reduced_shape(in.shape, options_.mask);
  const int64_t count = places.volume();
  double* mean = scratch.array<double>(kStepTemp, 2 * count);
  double* inverse = mean + count;
  put_mean(mean, places, sample, in);
  put_inverse(inverse, mean, places, sample, in);
  float* factors = scratch.array<float>(kStepFactors, 2 * count);
  std::copy(mean, mean + 2 * count, factors);
  scale_and_shift(out, in, options_.mask, factors, factors + count, options_.shift);
}

}  // namespace penstock
