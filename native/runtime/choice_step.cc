#include "runtime/choice_step.h"

#include <cstring>

namespace penstock {

Spec Choice::infer(size_t sample, const Spec& in, ConstView data) const {
  const auto& step = steps_[chosen_[sample]];
  return step ? step->infer(sample, in, data) : in;
}

void Choice::run(size_t sample, View out, ConstView in, Scratch& scratch) const {
  const auto& step = steps_[chosen_[sample]];
  if (step)
    step->run(sample, out, in, scratch);
  else if (in.bytes() > 0)
    std::memcpy(out.data, in.data, in.bytes());
}

}  // namespace penstock
