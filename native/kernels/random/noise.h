// Arrays with random noise in them. Element i depends on the sequence, on i and on the input alone.
#pragma once

#include "kernels/random/philox.h"
#include "memory/view.h"

namespace penstock {

/// `in` plus normally distributed noise, to the nearest number of its type.
void add_normal_noise(View out, ConstView in, const Philox& sequence, float mean, float stddev);

/// Noise that replaces pixels, with values of the array's type.
struct SaltAndPepper {
  float probability = 0;  // of a pixel being replaced
  float salt_share = 0;   // of those that are, how many become salt
  const std::byte* salt = nullptr;
  const std::byte* pepper = nullptr;
  int channel_axis = -1;  // 0 or the last, along which pixels are replaced as a whole; -1 for single elements
};

void add_salt_and_pepper(View out, ConstView in, const Philox& sequence, const SaltAndPepper& noise);

/// Elements become draws from the Poisson distribution of mean in / factor, times factor.
void add_shot_noise(View out, ConstView in, const Philox& sequence, float factor);

}  // namespace penstock
