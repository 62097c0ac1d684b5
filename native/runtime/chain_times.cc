#include "runtime/chain_times.h"

#include <algorithm>

namespace penstock {
namespace {

// Reading the clocks may take this share of the time that a sample takes; where it would take more, samples are left
// out.
constexpr double kShare = 0.002;
constexpr size_t kMostApart = 4096;

// What one lap costs on this machine.
int64_t lap_ns() {
  static const int64_t measured = [] {
    constexpr int kLaps = 32;
    StepClock clock;
    const int64_t started = wall_ns();
    clock.start();
    for (int i = 0; i < kLaps; ++i) clock.lap(0, 0);
    return std::max<int64_t>(1, (wall_ns() - started) / kLaps);
  }();
  return measured;
}

}  // namespace

void ChainTimes::begin(size_t n) {
  begun_ns_ = wall_ns();
  found_.assign(n, {});
}

void ChainTimes::prepared() { preparing_ns_ = wall_ns() - begun_ns_; }

void ChainTimes::keep(size_t place, size_t sample, const StepClock& clock) {
  SampleLaps& kept = found_[place];
  kept = {sample, thread_number(), clock.laps};
  const double cost = static_cast<double>(lap_ns() * (static_cast<int64_t>(clock.laps.size()) + 1));
  const double work = static_cast<double>(std::max<int64_t>(1, kept.duration_ns())) * kShare;
  stride_.store(std::clamp<size_t>(static_cast<size_t>(cost / work) + 1, 1, kMostApart), std::memory_order_relaxed);
}

std::vector<SampleLaps> ChainTimes::timed() const {
  std::vector<SampleLaps> timed;
  for (const SampleLaps& each : found_)
    if (!each.laps.empty()) timed.push_back(each);
  return timed;
}

}  // namespace penstock
