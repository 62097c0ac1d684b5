// A step that does one of several steps for every sample.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "kernels/step.h"
#include "memory/per_sample.h"

namespace penstock {

/// Does one of several steps for every sample; where that is none, it is handed on or copied.
class Choice : public Step {
 public:
  /// `chosen` are numbers of `steps`, all of which have their arguments for the whole batch.
  Choice(std::vector<std::shared_ptr<const Step>> steps, PerSample<int32_t> chosen)
      : steps_(std::move(steps)), chosen_(std::move(chosen)) {}

  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;
  bool leaves_alone(size_t sample) const override { return !steps_[chosen_[sample]]; }

 private:
  std::vector<std::shared_ptr<const Step>> steps_;
  PerSample<int32_t> chosen_;
};

}  // namespace penstock
