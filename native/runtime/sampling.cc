#include "runtime/sampling.h"

#include <algorithm>

namespace penstock {
namespace {

// What measuring an event takes, in seconds, and the part of the event's own time that it may take: less for the
// shortest ones, of whose time the question whether they are measured takes 1 % already.
constexpr double kCostOfEvent = 60e-6;
constexpr double kShareOfEvent = 0.005, kShareOfShortest = 0.0015;
constexpr double kShortest = 50e-6;
// The first ones of a key are all measured, to know how long they last.
constexpr int64_t kAllOfFirst = 8;
constexpr double kMostLeftOut = 6000;
// Of so many the mean is taken, so that a change is noticed.
constexpr int64_t kRemembered = 16;

}  // namespace

Sampling::Key* Sampling::find(const void* key) {
  // libc++ 14 has no std::ranges::find.
  const auto found = std::find_if(keys_.begin(), keys_.end(), [&](const Key& known) { return known.address == key; });
  return found == keys_.end() ? nullptr : &*found;
}

int64_t Sampling::weight(const void* key) {
  if (Key* const known = find(key)) return known->left == 0 ? known->weight : (--known->left, 0);
  keys_.push_back({key});
  return 1;
}

void Sampling::note(const void* key, double seconds) {
  Key* const found = find(key);
  if (!found) return;
  Key& known = *found;
  ++known.measured;
  known.mean += (seconds - known.mean) / static_cast<double>(std::min(known.measured, kRemembered));
  const double share = known.mean < kShortest ? kShareOfShortest : kShareOfEvent;
  const double distance = std::min(kMostLeftOut, kCostOfEvent / (share * std::max(known.mean, 1e-9)));
  const bool may_skip = distance > 1 && known.measured >= kAllOfFirst && !is_complete;
  known.left = may_skip ? static_cast<int64_t>(2 * distance * random()) : 0;
  known.weight = known.left + 1;
}

int64_t Sampling::left_out(const void* key) {
  const Key* const known = find(key);
  return known ? known->weight - 1 - known->left : 0;
}

// xorshift64: equal distances would fall in step with a loop that repeats.
double Sampling::random() {
  state_ ^= state_ << 13;
  state_ ^= state_ >> 7;
  state_ ^= state_ << 17;
  return static_cast<double>(state_ >> 11) * 0x1p-53;
}

}  // namespace penstock
