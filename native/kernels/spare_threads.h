// Threads that one sample's work may be shared with.
#pragma once

#include <cstddef>
#include <functional>

#include "memory/scratch.h"

namespace penstock {

/// Threads without samples of their own, for work on one sample that takes long.
class SpareThreads {
 public:
  /// How many there may be, with the calling one.
  virtual int threads() const = 0;

  /// Calls `work(i, scratch)` for every i below n, in any order, and returns when all are done. `work` must not throw.
  /// The calling thread's `scratch` is the one that it has anyway, with what stands in it.
  virtual void share(size_t n, const std::function<void(size_t, Scratch&)>& work) = 0;

 protected:
  ~SpareThreads() = default;
};

}  // namespace penstock
