#include "kernels/array/flip_step.h"

#include "kernels/array/flip.h"

namespace penstock {

void Flip::run(size_t sample, View out, ConstView in, Scratch& scratch) const {
  const size_t row = mirrored_.size() == axes_.size() ? 0 : sample;
  unsigned mask = 0;
  for (size_t k = 0; k < axes_.size(); ++k)
    if (mirrored_[row * axes_.size() + k]) mask |= 1u << axes_[k];
  flip(out, in, mask, scratch.past_caches);
}

}  // namespace penstock
