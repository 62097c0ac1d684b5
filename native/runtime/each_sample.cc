#include "runtime/each_sample.h"

#include <limits>
#include <mutex>

namespace penstock {
namespace {}  // namespace

void each_sample(Pool& pool, size_t n, int64_t bytes, const std::function<void(size_t, Scratch&)>& work) {
  std::mutex mutex;
  size_t failed = std::numeric_limits<size_t>::max();
  std::string message;
  const auto guarded = [&](size_t i, Scratch& scratch) {
    try {
      work(i, scratch);
    } catch (const std::exception& error) {
      std::lock_guard lock(mutex);
      if (i >= failed) return;
      failed = i;
      message = error.what();
    }
  };
  if (bytes < kParallelFromBytes) {
    const ScratchUse scratch;
    for (size_t i = 0; i < n; ++i) guarded(i, scratch);
  } else {
    pool.for_each(n, guarded);
  }
  if (failed < n) throw SampleError(failed, message);
}

}  // namespace penstock
