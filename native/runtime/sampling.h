// Chooses which of many short events are measured, so that measuring costs little of the time that it measures.
//
// Measuring an event takes tens of microseconds: clocks, the event itself, adding it up. Events that last milliseconds
// are all measured. Of shorter ones with the same key, the name of an operator, every n-th is measured, at random
// distances around n, and stands for those left out before it. Distances follow from the mean time of a key, so the
// bound on the cost also holds where long and short events share one.
#pragma once

#include <cstdint>
#include <vector>

namespace penstock {

/// Decides for the events of a kind; keys are addresses of objects that outlive it. Used by one thread at a time.
class Sampling {
 public:
  /// Whether all events are measured from now on.
  bool is_complete = false;

  /// How many events the one that happens now stands for, 0 where it is not to be measured.
  int64_t weight(const void* key);

  /// Notes how long an event lasted, and decides how many like it are left out before the next one.
  void note(const void* key, double seconds);

  /// How many events have been left out since the last one that was measured.
  int64_t left_out(const void* key);

  size_t keys() const { return keys_.size(); }
  void forget() { keys_.clear(); }

 private:
  struct Key {
    const void* address;
    int64_t left = 0;    // so many are left out before the next one
    int64_t weight = 1;  // and that one stands for so many
    int64_t measured = 0;
    double mean = 0;
  };

  Key* find(const void* key);
  double random();

  std::vector<Key> keys_;  // a loop calls few operators
  uint64_t state_ = 1;
};

}  // namespace penstock
