#include "kernels/array/flip_step.h"

#include "kernels/array/flip.h"

namespace penstock {

void Flip::run(size_t sample, View out, ConstView in, Scratch& scratch) const {
  unsigned mask = 0;
  for (size_t k = 0; k < axes_.size(); ++k)
    if (is_mirrored(sample, k)) mask |= 1u << axes_[k];
  flip(out, in, mask, scratch.past_caches);
}

bool Flip::narrow(size_t sample, DType, Part& part) const {
  for (size_t k = 0; k < axes_.size(); ++k)
    if (is_mirrored(sample, k)) part.mirror(axes_[k]);
  return true;
}

}  // namespace penstock
