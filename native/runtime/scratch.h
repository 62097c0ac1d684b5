// Working memory of one thread, kept between samples so that nothing is allocated or page-faulted per image.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace penstock {

class Scratch {
 public:
  /// At least `n` bytes, 64-byte aligned; the contents of a slot live until the next call for that slot.
  std::byte* bytes(size_t slot, size_t n) {
    if (slot >= slots_.size()) slots_.resize(slot + 1);
    Slot& s = slots_[slot];
    if (s.capacity < n) {
      const size_t capacity = (n + n / 4 + 63) / 64 * 64;
      s.memory.reset(static_cast<std::byte*>(std::aligned_alloc(64, capacity)));
      if (!s.memory) throw std::bad_alloc();
      s.capacity = capacity;
    }
    return s.memory.get();
  }

  template <typename T>
  T* array(size_t slot, size_t n) {
    return reinterpret_cast<T*>(bytes(slot, n * sizeof(T)));
  }

  /// The step's result is part of a batch larger than the caches: better written past them.
  bool past_caches = false;

 private:
  struct Free {
    void operator()(std::byte* p) const { std::free(p); }
  };
  struct Slot {
    std::unique_ptr<std::byte, Free> memory;
    size_t capacity = 0;
  };
  std::vector<Slot> slots_;
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
