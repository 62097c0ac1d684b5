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

/// A twiddle factor: a complex number of magnitude 1.
struct Twiddle {
  float re, im;
};

/// exp(-2 pi i k / n)
Twiddle twiddle_of(int64_t k, int64_t n);

/// Sizes of butterflies there are.
inline constexpr std::array kRadices = {4, 2, 3, 5, 7, 11, 13};

/// One stage: `count` butterflies of `radix` elements, for each of `stride` interleaved transforms.
struct FftStage {
  int radix;
  int64_t count, stride;
  std::vector<Twiddle> twiddles;  // by butterfly, of its elements but the first
};

void run_stage(const FftStage& stage, Planes out, Planes in, int64_t lanes);

}  // namespace penstock
