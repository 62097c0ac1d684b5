// Conversion of magnitudes to decibels.
#pragma once

#include <cstdint>

namespace penstock {

/// The largest of n values and zero; NaN does not count.
float largest(const float* values, int64_t n);

/// out = multiplier * log10(max(in * factor, least)), to about a unit in the last place of the logarithm. `least` is
/// positive, and NaN counts as less than that.
void decibels(float* out, const float* in, int64_t n, float factor, float least, float multiplier);

}  // namespace penstock
