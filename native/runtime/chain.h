// Carries each sample through a chain of steps on one worker, while it is warm in that worker's cache.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/step.h"
#include "memory/samples.h"
#include "runtime/chain_times.h"
#include "runtime/pool.h"

namespace penstock {

/// What went wrong for one sample, and in which step.
struct Failure {
  enum class Kind { runtime, value, memory };
  size_t sample;
  size_t step;
  Kind kind;
  std::string message;
};

struct ChainResult {
  std::optional<Samples> samples;
  std::vector<Failure> failures;  // by sample
  std::vector<Samples> kept;      // where asked for
};

/// What becomes of the other samples when some fail: `samples` is set only when none does, or when any is good, with
/// anything in the places of the bad ones.
enum class OnFailure { stop, go_on };

/// Runs `steps` over n samples. An input of one sample serves all n. Unless there is next to nothing to do,
/// `before_work` is called first. `times`, if there are any, get the laps of the steps.
ChainResult run_chain(Pool& pool, const Samples& in, size_t n, std::span<const std::shared_ptr<const Step>> steps,
                      const std::function<void()>& before_work, OnFailure on_failure = OnFailure::stop,
                      ChainTimes* times = nullptr);

/// The same, and the results of the steps number `kept` as well, in rising order and without the last. There is neither
/// a result nor a failure where a step hands its input on, since then two results would be one piece of memory.
ChainResult run_chain_keeping(Pool& pool, const Samples& in, size_t n,
                              std::span<const std::shared_ptr<const Step>> steps, std::span<const size_t> kept,
                              const std::function<void()>& before_work, ChainTimes* times = nullptr);

}  // namespace penstock
