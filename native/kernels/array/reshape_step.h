// The step that gives samples another shape.
#pragma once

#include <cstring>
#include <stdexcept>
#include <string>

#include "kernels/step.h"
#include "memory/per_sample.h"

namespace penstock {

/// The same elements in another shape, one of whose extents may be negative: it becomes whatever is left.
class Reshape : public Step {
 public:
  explicit Reshape(PerSampleRows<int64_t> shapes) : shapes_(std::move(shapes)) {}

  Spec infer(size_t sample, const Spec& in, ConstView) const override {
    Spec made{in.dtype, Shape{static_cast<int>(shapes_.width()), {}}};
    const int64_t elements = in.shape.volume();
    int64_t given = 1;
    int open = -1;
    bool fits = true;
    for (int k = 0; k < made.shape.ndim; ++k) {
      const int64_t extent = made.shape[k] = shapes_[sample][k];
      if (extent < 0 && open >= 0)
        throw std::runtime_error("Only one negative extent is allowed; got: " + text(sample));
      if (extent < 0)
        open = k;
      else
        fits &= !__builtin_mul_overflow(given, extent, &given);
    }
    if (open >= 0 && given == 0)
      throw std::runtime_error("Extent of 0 is illegal beside a negative one; got: " + text(sample));
    if (open >= 0 && fits) made.shape[open] = elements / given;
    if (!fits || made.shape.volume() != elements)
      throw std::runtime_error("Input and output samples must occupy the same size in bytes. " +
                               std::to_string(elements) + " elements cannot take shape " + text(sample));
    return made;
  }

  void run(size_t, View out, ConstView in, Scratch&) const override {
    if (in.bytes()) std::memcpy(out.data, in.data, in.bytes());
  }

  bool only_views() const override { return true; }

 private:
  std::string text(size_t sample) const {
    std::string list;
    for (size_t k = 0; k < shapes_.width(); ++k) list += (k ? ", " : "") + std::to_string(shapes_[sample][k]);
    return "[" + list + "]";
  }

  PerSampleRows<int64_t> shapes_;
};

}  // namespace penstock
