// When the steps of a chain ran on one sample, for a profiler that is on.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "memory/scratch.h"
#include "os/thread.h"

namespace penstock {

/// Nanoseconds on the clock of Python's time.perf_counter().
inline int64_t wall_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// One run of the steps from `first` to `last`, which is one step unless they did their work together.
struct StepLap {
  uint32_t first, last;
  int64_t start_ns, end_ns, cpu_ns;
};

/// Notes the laps of the steps that one sample goes through.
class StepClock {
 public:
  void start() {
    laps.clear();
    wall_ = wall_ns();
    cpu_ = thread_cpu_ns();
  }

  /// The steps from `first` to `last` have run. What `NextStep` measured meanwhile becomes the last one's own lap.
  void lap(size_t first, size_t last) {
    const int64_t wall = wall_ns(), cpu = thread_cpu_ns();
    const auto add = [&](size_t from, size_t to, int64_t start, int64_t end, int64_t used) {
      laps.push_back({static_cast<uint32_t>(from), static_cast<uint32_t>(to), start, end, used});
    };
    if (next_ns_ > 0 && first < last && wall - wall_ > next_ns_) {
      const int64_t next_cpu = static_cast<int64_t>(static_cast<double>(cpu - cpu_) * next_ns_ / (wall - wall_));
      add(first, last - 1, wall_, wall - next_ns_, cpu - cpu_ - next_cpu);
      add(last, last, wall - next_ns_, wall, next_cpu);
    } else {
      add(first, last, wall_, wall, cpu - cpu_);
    }
    next_ns_ = 0;
    wall_ = wall;
    cpu_ = cpu;
  }

  std::vector<StepLap> laps;

 private:
  friend class NextStep;
  int64_t wall_ = 0, cpu_ = 0, next_ns_ = 0;
};

/// Around the work of the next step inside of `Step::run_through`, which does two in turns.
class NextStep {
 public:
  explicit NextStep(const Scratch& scratch) : clock_(scratch.clock), start_(clock_ ? wall_ns() : 0) {}
  ~NextStep() {
    if (clock_) clock_->next_ns_ += wall_ns() - start_;
  }
  NextStep(const NextStep&) = delete;
  NextStep& operator=(const NextStep&) = delete;

 private:
  StepClock* clock_;
  int64_t start_;
};

}  // namespace penstock
