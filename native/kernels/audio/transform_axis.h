// Applies a transform to the lines of an array along one axis. Included by the audio steps only.
#pragma once

#include <algorithm>

#include "kernels/fourier/lines.h"
#include "memory/scratch.h"

namespace penstock {

/// Replaces every line along an axis by what `transform(out, out_step, in, in_step, columns)`, a filter bank or a
/// cosine transform, makes of it.
template <typename Transform>
void transform_axis(View out, ConstView in, int axis, const Transform& transform, Scratch& scratch) {
  const Lines given = Lines::along(in.shape, axis), made = given.of_length(out.shape[axis]);
  if (given.inner > 1) {
    for (int64_t k = 0; k < given.outer; ++k)
      transform(out.as<float>() + k * made.length * made.inner, made.inner,
                in.as<float>() + k * given.length * given.inner, given.inner, given.inner);
    return;
  }
  float* block = scratch.array<float>(kStepTemp, kLanes * given.length);
  float* result = scratch.array<float>(kFeatureBlock, kLanes * made.length);
  for (int64_t first = 0; first < given.count(); first += kLanes) {
    const int64_t lanes = std::min(kLanes, given.count() - first);
    load_lines(block, in.as<float>(), given, first, lanes);
    transform(result, lanes, block, lanes, lanes);
    store_lines(out.as<float>(), made, first, lanes, result, lanes);
  }
}

}  // namespace penstock
