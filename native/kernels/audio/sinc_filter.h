// Signals brought to another sample rate by a windowed sinc.
#pragma once

#include <vector>

#include "memory/scratch.h"
#include "memory/view.h"

namespace penstock {

/// A sinc with a number of lobes on either side, under a Hann window. It is tabulated between two input samples and
/// linear from one entry to the next, which is what its users' results have always been made with.
class SincFilter {
 public:
  /// `quality` is 0 to 100, for 3 to 64 lobes.
  explicit SincFilter(double quality);

  /// Input samples that make one of the result, in whole vectors; the last ones may weigh nothing.
  int taps() const { return taps_; }
  /// How many of them come before the place of the result or at it.
  int before() const { return lobes_; }

  /// What the taps weigh for a result that lies `fraction` in [0, 1) behind an input sample: a row of the table, and
  /// how much of the way to the next row it is.
  struct Place {
    const float* row;
    float share;
  };
  Place place(double fraction) const {
    const double at = fraction * kSteps;
    const int step = static_cast<int>(at);
    return {rows_.data() + step * taps_, static_cast<float>(at - step)};
  }

 private:
  static constexpr int kSteps = 32;
  int lobes_, taps_;
  std::vector<float> rows_;
};

/// Which element stands for 1 and which for 0: x is (x - zero) / unit.
struct Level {
  double unit = 1, zero = 0;
};

struct Rates {
  double in, out;
};

/// Resamples along the first axis; there may be a second one, of channels. Beyond its ends a signal is silent. There is
/// no low-pass: what the new rate cannot hold is folded back. Elements are 8, 16 or 32 bits wide, or f32.
void resample_signal(View out, Level out_level, ConstView in, Level in_level, Rates rates, const SincFilter& filter,
                     Scratch& scratch);

/// How many samples `n` become.
double resampled_length(int64_t n, Rates rates);

}  // namespace penstock
