// Worker threads that walk the samples of a batch. The calling thread works too, so a pool of one has no threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "kernels/spare_threads.h"
#include "memory/scratch.h"

namespace penstock {

/// Waking the workers costs about 10 us; where less data than this is worked on, one thread is faster.
constexpr int64_t kParallelFromBytes = 128 << 10;

class Pool final : public SpareThreads {
 public:
  explicit Pool(int threads);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  int threads() const override { return threads_; }
  /// A number that no other pool has while this one lives.
  int64_t key() const { return static_cast<int64_t>(reinterpret_cast<intptr_t>(this)); }

  /// When the other threads are woken: at once, or when the first of the work have shown that the rest takes long
  /// enough. The latter is for many pieces of little work, of which a few tell how long the others take.
  enum class Wake { at_once, if_long };

  /// Calls `work(i, scratch)` for every i below n, in any order, and returns when all are done. `work` must not
  /// throw. A thread takes `at_once` neighbours at a time. May be called from several threads at once, and by `work`:
  /// threads that find nothing more to do come and help.
  void for_each(size_t n, const std::function<void(size_t, Scratch&)>& work, size_t at_once = 1,
                Wake wake = Wake::at_once);

  void share(size_t n, const std::function<void(size_t, Scratch&)>& work) override { for_each(n, work); }

  /// How many of n samples of so many bytes each a thread takes at a time: where they are small, asking for the next
  /// one takes longer than the work on it, and threads that write to neighbours wait for each other's cache lines.
  size_t at_once(size_t n, int64_t sample_bytes) const;

 private:
  struct Job;
  struct Workers;

  Workers& workers();
  size_t begin_alone(size_t n, const std::function<void(size_t, Scratch&)>& work, size_t at_once) const;

  int threads_;
  std::atomic<Workers*> workers_{nullptr};
};

}  // namespace penstock
