// Walks a batch for operators that are no chain of steps: with several inputs or results, or counts only data can tell.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

#include "memory/samples.h"
#include "runtime/pool.h"

namespace penstock {

/// What went wrong, and for which sample.
class SampleError : public std::runtime_error {
 public:
  SampleError(size_t sample, const std::string& message) : std::runtime_error(message), sample(sample) {}
  size_t sample;
};

/// Calls `work(i, scratch)` for every i below n, on several threads where `bytes` is much. Throws SampleError for the
/// first sample whose work threw.
void each_sample(Pool& pool, size_t n, int64_t bytes, const std::function<void(size_t, Scratch&)>& work);

/// The view of a sample; a batch of one serves all samples.
inline ConstView shared_view(const Samples& samples, size_t i) {
  return samples.const_view(samples.size() == 1 ? 0 : i);
}

}  // namespace penstock
