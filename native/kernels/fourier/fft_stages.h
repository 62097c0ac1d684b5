// The stages of a Fourier transform of several signals side by side, so that vector lanes are signals.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "cpu/vectorize.h"

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
  int32_t offset;
  float weight;
};

/// Rows number 2 k and 2 k + 1, the real and the imaginary part of element k, in the order in which the first stage
/// takes elements.
std::vector<WeightedRow> in_stage_order(const FftStage& stage, const std::vector<WeightedRow>& rows);

/// Places in memory, `step` floats apart, that are needed next. A stage asks for a few of them with every butterfly:
/// processors drop most of many requests at once, and find rows of a spectrogram or a signal read here and there no
/// sooner than they are needed. A spectrogram of a batch beyond the caches takes 0.63 times as long.
struct Upcoming {
  const float* first = nullptr;
  int64_t step = 0, count = 0;

  /// Those of number `part` out of `parts`.
  PENSTOCK_INLINE void prefetch(int64_t part, int64_t parts) const {
#if defined(__GNUC__)
    const int64_t each = (count + parts - 1) / parts, end = std::min(count, (part + 1) * each);
    for (int64_t k = part * each; k < end; ++k) __builtin_prefetch(first + k * step, 1);
#endif
  }
};

/// The first stage, of kLanes signals. `list` is in its order.
void run_first_stage(const FftStage& stage, Planes out, const float* rows, const WeightedRow* list,
                     const Upcoming& upcoming);

/// The last stage of a transform of the even and the odd elements of real signals, up to the squared magnitudes of
/// those: a row of lanes, `out_step` after the one before, for every bin. `lanes` is a multiple of 16.
void run_power_stage(const FftStage& stage, float* out, int64_t out_step, Planes in, const Twiddle* twiddles,
                     int64_t lanes, const Upcoming& upcoming);

}  // namespace penstock
