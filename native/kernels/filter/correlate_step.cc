#include "kernels/filter/correlate_step.h"

#include <stdexcept>
#include <string>

#include "memory/shape_text.h"

namespace penstock {

int64_t Filter::anchor(size_t sample, int axis) const {
  if (options_.whole_only) return 0;
  const int64_t given = options_.anchor[sample][axis];
  return given < 0 ? filter(sample).shape[axis] / 2 : given;
}

Spec Filter::infer(size_t sample, const Spec& in, ConstView) const {
  const Shape& filter = this->filter(sample).shape;
  Spec made{options_.dtype, in.shape};
  for (int axis = 0; axis < axes_.count; ++axis) {
    const int64_t given = options_.anchor[sample][axis];
    if (given < -1 || given >= filter[axis])
      throw std::runtime_error("Anchor must lie within the filter. Got anchor " + std::to_string(given) + " for axis " +
                               std::to_string(axis) + " with a filter of shape " + text(filter) + ".");
    int64_t& extent = made.shape[axes_.first + axis];
    if (options_.whole_only) extent -= filter[axis] - 1;
    if (options_.whole_only && extent <= 0)
      throw std::runtime_error("Filter of shape " + text(filter) + " is bigger than the sample of shape " +
                               text(in.shape) + ". This is not allowed if ``mode`` is set to ``valid``.");
  }
  return made;
}

void Filter::run(size_t sample, View out, ConstView in, Scratch& scratch) const {
  const Weights& filter = this->filter(sample);
  Stencil stencil;
  stencil.weights = filter.values.data();
  int64_t* const extents[] = {&stencil.columns, &stencil.rows, &stencil.depth};
  int64_t* const anchors[] = {&stencil.anchor_column, &stencil.anchor_row, &stencil.anchor_depth};
  for (int k = 0; k < axes_.count; ++k) {
    const int axis = axes_.count - 1 - k;
    *extents[k] = filter.shape[axis];
    *anchors[k] = anchor(sample, axis);
  }
  correlate(out, Volume::of(out.shape, axes_), in, Volume::of(in.shape, axes_), stencil,
            {options_.border, options_.fill[sample]}, scratch);
}

}  // namespace penstock
