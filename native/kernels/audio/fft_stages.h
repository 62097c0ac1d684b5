// The stages of a Fourier transform of several signals side by side, so that vector lanes are signals.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace penstock {

/// Complex numbers as two arrays. Element k of lane l is number k * lanes + l.
struct Planes {
  float* re;
  float* im;
};

/// A complex number of magnitude 1.
struct Turn {
  float re, im;
};

/// exp(-2 pi i k / n)
Turn turn_of(int64_t k, int64_t n);

/// Sizes of butterflies there are.
inline constexpr std::array kRadices = {4, 2, 3, 5, 7, 11, 13};

/// One stage: `count` butterflies of `radix` elements, for each of `stride` interleaved transforms.
struct Pass {
  int radix;
  int64_t count, stride;
  std::vector<Turn> turns;  // by butterfly, of its elements but the first
};

void run_pass(const Pass& pass, Planes out, Planes in, int64_t lanes);

}  // namespace penstock
