#include "kernels/audio/decibels.h"

#include <algorithm>
#include <bit>

#include "cpu/newest.h"
#include "cpu/vectorize.h"
#include "kernels/fourier/lines.h"

namespace penstock {
namespace {

constexpr int32_t kInfinity = 0x7F800000, kSmallestNormal = 0x00800000, kRootHalf = 0x3F3504F3;
constexpr int kMantissaBits = 23;
// ln 2 in two parts: the first has so few bits that its products with exponents are exact.
constexpr float kLn2High = 0.693359375F, kLn2Low = -2.12194440e-4F, kLog10E = 0.434294481903F;

/// The natural logarithm of a positive number, given as bits: Cephes' polynomial on [sqrt(1/2), sqrt(2)).
PENSTOCK_INLINE inline float natural_log(int32_t given) {
  const float x = std::bit_cast<float>(given);
  const bool subnormal = given < kSmallestNormal;
  const int32_t bits = std::bit_cast<int32_t>(x * (subnormal ? 8388608.0F : 1.0F));
  const int32_t exponent = (bits - kRootHalf) >> kMantissaBits;
  const float f = std::bit_cast<float>(bits - (exponent << kMantissaBits)) - 1;
  const float e = static_cast<float>(exponent - (subnormal ? kMantissaBits : 0));
  const float square = f * f;
  float y = 7.0376836292e-2F;
  y = y * f - 1.1514610310e-1F;
  y = y * f + 1.1676998740e-1F;
  y = y * f - 1.2420140846e-1F;
  y = y * f + 1.4249322787e-1F;
  y = y * f - 1.6668057665e-1F;
  y = y * f + 2.0000714765e-1F;
  y = y * f - 2.4999993993e-1F;
  y = y * f + 3.3333331174e-1F;
  y = y * f * square + e * kLn2Low - 0.5F * square;
  // Infinity is added rather than chosen: a choice would be a branch around all of the above.
  return e * kLn2High + (f + y) + std::bit_cast<float>(given == kInfinity ? kInfinity : 0);
}

PENSTOCK_INLINE inline float largest_positive(const float* values, int64_t n) {
  AllLanes best{};
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const AllLanes next = *reinterpret_cast<const AllLanes*>(values + i);
    best = next > best ? next : best;
  }
  float found = 0;
  for (; i < n; ++i) found = values[i] > found ? values[i] : found;
  for (int k = 0; k < kLanes; ++k) found = std::max(found, best[k]);
  return found;
}

PENSTOCK_INLINE inline void to_decibels(float* out, const float* in, int64_t n, float factor, float least,
                                        float multiplier) {
  const float scale = multiplier * kLog10E;
  const int32_t smallest = std::bit_cast<int32_t>(least);
  PENSTOCK_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) {
    // Floats compare like their bits where they are positive; comparing them as floats would not become vector code.
    const int32_t ratio = std::bit_cast<int32_t>(in[i] * factor);
    const int32_t number = ratio > kInfinity ? smallest : ratio;
    out[i] = scale * natural_log(number > smallest ? number : smallest);
  }
}

}  // namespace

float largest(const float* values, int64_t n) { return newest<largest_positive>(values, n); }

void decibels(float* out, const float* in, int64_t n, float factor, float least, float multiplier) {
  newest<to_decibels>(out, in, n, factor, least, multiplier);
}

}  // namespace penstock
