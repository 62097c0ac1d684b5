// Overlapping windows of a signal.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/fourier/fft.h"

namespace penstock {

struct Windows {
  std::vector<float> weights;
  int64_t step = 1;
  bool centered = true;  // around the multiples of `step` rather than beginning there
  bool reflects = true;  // centred windows see the signal mirrored beyond its ends rather than zeros

  int64_t size() const { return static_cast<int64_t>(weights.size()); }
  /// How many there are; none where the signal is too short.
  int64_t count(int64_t length) const;
  int64_t work_floats(int64_t lanes) const;
};

/// Weighted windows `first` to `first + lanes`, zeros behind them, where `fft` wants them in `work`.
/// `own_work` is memory for Windows::work_floats.
void load_windows(float* work, const PowerFft& fft, const float* signal, int64_t length, const Windows& windows,
                  int64_t first, int64_t lanes, float* own_work);

/// The part of a signal that `lanes` windows from `first` on see and those before them do not.
Upcoming upcoming_windows(const float* signal, int64_t length, const Windows& windows, int64_t first, int64_t lanes);

/// The elements of kLanes windows, and zeros behind them up to `size`, as weighted rows of what `turn_signal` makes.
std::vector<WeightedRow> window_rows(const Windows& windows, int64_t size);

/// The part of a signal that windows `first` to `first + kLanes` see, turned so that element i of all of them is one
/// row. It is in `own_work`, memory for Windows::work_floats.
const float* turn_signal(float* own_work, const float* signal, int64_t length, const Windows& windows, int64_t first);

}  // namespace penstock
