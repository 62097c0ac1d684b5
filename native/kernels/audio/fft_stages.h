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

/// Sizes of butterflies there are: powers of two up to this one, since 16 elements do not stay in registers and take
/// 1.1 times as long, and odd ones.
inline constexpr int kMostTwos = 3;
inline constexpr std::array kOddRadices = {3, 5, 7, 11, 13};

/// One stage: `count` butterflies of `radix` elements, for each of `stride` interleaved transforms.
struct FftStage {
  int radix;
  int64_t count, stride;
  std::vector<Twiddle> twiddles;  // by butterfly, of its elements but the first
};

void run_stage(const FftStage& stage, Planes out, Planes in, int64_t lanes);

/// A row of lanes, at an offset that rows share, and what it is multiplied by.
struct WeightedRow {
  int64_t offset;
  float weight;
};

/// The first stage, of `lanes` signals: real and imaginary parts take turns in `list`. `lanes` is a multiple of 16.
void run_first_stage(const FftStage& stage, Planes out, const float* rows, const WeightedRow* list, int64_t lanes);

/// The last stage of a transform of the even and the odd elements of real signals, up to the squared magnitudes of
/// those: a row of lanes, `out_step` after the one before, for every bin. `lanes` is a multiple of 16.
void run_power_stage(const FftStage& stage, float* out, int64_t out_step, Planes in, const Twiddle* twiddles,
                     int64_t lanes);

}  // namespace penstock
