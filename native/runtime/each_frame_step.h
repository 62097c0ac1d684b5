// A step that does another one for every frame of a sequence.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/step.h"

namespace penstock {

/// Does a step for every frame of a sequence: samples have a leading frame axis the step does not know of.
class EachFrame : public Step {
 public:
  /// Without `counts` the step's arguments are per sample. With them, sample i has rows [offsets[i], offsets[i] +
  /// counts[i]) of the arguments: one for all its frames, or one for each. `still` says that samples are single
  /// images, to be used once for every row. `given` is what the rows come from, for errors.
  EachFrame(std::shared_ptr<const Step> step, std::vector<int64_t> counts, std::vector<int64_t> offsets,
            std::string given, bool still)
      : step_(std::move(step)),
        counts_(std::move(counts)),
        offsets_(std::move(offsets)),
        given_(std::move(given)),
        still_(still) {}

  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;

 private:
  Spec of_frames(size_t sample, int64_t frames, const Spec& frame, ConstView first) const;
  size_t row(size_t sample, int64_t frame) const;

  std::shared_ptr<const Step> step_;
  std::vector<int64_t> counts_, offsets_;
  std::string given_;
  bool still_;
};

}  // namespace penstock
