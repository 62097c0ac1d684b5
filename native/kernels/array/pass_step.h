// The step that hands samples on as they are.
#pragma once

#include <cstring>

#include "kernels/step.h"

namespace penstock {

/// Where samples go to a device whose memory is the CPU's own: a chain goes through it, alone it copies.
class Pass : public Step {
 public:
  Spec infer(size_t, const Spec& in, ConstView) const override { return in; }

  void run(size_t, View out, ConstView in, Scratch&) const override {
    if (in.bytes()) std::memcpy(out.data, in.data, in.bytes());
  }

  bool only_views() const override { return true; }
  bool leaves_alone(size_t) const override { return true; }
};

}  // namespace penstock
