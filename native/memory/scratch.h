// Working memory of one thread, kept between samples so that nothing is allocated or page-faulted per image.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "memory/arena.h"

namespace penstock {

class SpareThreads;
class StepClock;

class Scratch {
 public:
  /// At least `n` bytes, 64-byte aligned; the contents of a slot live until the next call for that slot.
  std::byte* bytes(size_t slot, size_t n) {
    if (slot >= slots_.size()) slots_.resize(slot + 1);
    Slot& s = slots_[slot];
    if (s.capacity < n) {
      s = {};  // first, so that the old block is not held beside the new one
      s.memory = allocate(n + n / 4);
      s.capacity = n + n / 4;
    }
    return s.memory.get();
  }

  template <typename T>
  T* array(size_t slot, size_t n) {
    return reinterpret_cast<T*>(bytes(slot, n * sizeof(T)));
  }

  /// Gives large slots back to the arena, where other threads find them, or the system if nobody needs them any more.
  void give_back_large() {
    for (Slot& slot : slots_)
      if (slot.capacity > kKept) slot = {};
  }

  /// The step's result is part of a batch larger than the caches: better written past them.
  bool past_caches = false;

  /// May take part in the work on a sample; null where all threads have samples of their own.
  SpareThreads* spare_threads = nullptr;

  /// Notes the laps of the sample that is being worked on; null unless it is to be timed.
  StepClock* clock = nullptr;

 private:
  // Most photos fit; asking the arena for more costs nothing beside the work on so large an image.
  static constexpr size_t kKept = 4 << 20;

  struct Slot {
    std::shared_ptr<std::byte> memory;
    size_t capacity = 0;
  };
  std::vector<Slot> slots_;
};

/// The calling thread's scratch memory for as long as some work takes. The outermost of nested ones gives back what is
/// large, so that an outlier leaves nothing behind.
class ScratchUse {
 public:
  ScratchUse() { ++depth(); }
  ~ScratchUse() {
    if (--depth() == 0) scratch().give_back_large();
  }
  ScratchUse(const ScratchUse&) = delete;
  ScratchUse& operator=(const ScratchUse&) = delete;

  operator Scratch&() const { return scratch(); }

 private:
  static Scratch& scratch();
  static int& depth();
};

/// Slots by owner, so that two steps of one chain never share one.
enum ScratchSlot : size_t {
  kChainPing = 0,
  kChainPong = 1,
  kResampleTemp = 2,
  kDecodeRows = 4,
  kDecodeImage = 5,
  kStepTemp = 6,
  kStepTables = 7,
  kStepFactors = 8,
  kFeatureBlock = 9,
};

}  // namespace penstock
