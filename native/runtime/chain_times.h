// When the steps of a chain ran on the samples of a batch: taken where a profiler asks for it, on as many samples as
// cost next to nothing.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/step_clock.h"

namespace penstock {

/// The laps of one sample, and the thread that ran them.
struct SampleLaps {
  size_t sample;
  int64_t thread;
  std::vector<StepLap> laps;

  int64_t duration_ns() const { return laps.empty() ? 0 : laps.back().end_ns - laps.front().start_ns; }
};

class ChainTimes {
 public:
  /// The chain begins to prepare n samples: headers are read and memory is taken.
  void begin(size_t n);
  /// The samples begin to be carried through the steps.
  void prepared();

  /// Whether the sample that comes at this place of the work is to be timed.
  bool is_due(size_t place) const { return place % stride_.load(std::memory_order_relaxed) == 0; }
  /// Keeps the laps of a sample. May be called from several threads at once, for different places.
  void keep(size_t place, size_t sample, const StepClock& clock);

  size_t samples() const { return found_.size(); }
  int64_t preparing_ns() const { return preparing_ns_; }
  /// Those of the samples that were timed.
  std::vector<SampleLaps> timed() const;

 private:
  int64_t begun_ns_ = 0, preparing_ns_ = 0;
  std::atomic<size_t> stride_{1};
  std::vector<SampleLaps> found_;  // by place; without laps where a sample was not timed
};

}  // namespace penstock
