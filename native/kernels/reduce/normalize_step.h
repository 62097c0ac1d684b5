// The step that normalises by mean and standard deviation along chosen axes.
#pragma once

#include <vector>

#include "kernels/step.h"

namespace penstock {

/// scale * (in - mean) / stddev + shift, with mean and stddev given or those of the sample along chosen axes.
class Normalize : public Step {
 public:
  /// One number for all elements, or an array with extent 1 along the axes averaged over.
  struct Parameter {
    std::vector<float> values;
    Shape shape;
  };
  struct Options {
    unsigned mask = 0;                    // axes that are averaged over
    std::vector<Parameter> mean, stddev;  // one for all samples or one for each; none: the sample's own
    int ddof = 0;
    float epsilon = 0;
    float scale = 1;
    float shift = 0;
    DType dtype = DType::f32;
  };
  explicit Normalize(Options options) : options_(std::move(options)) {}

  Spec infer(size_t, const Spec& in, ConstView) const override { return {options_.dtype, in.shape}; }
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;

 private:
  void put_mean(double* mean, const Shape& places, size_t sample, ConstView in) const;
  void put_inverse(double* inverse, const double* mean, const Shape& places, size_t sample, ConstView in) const;

  Options options_;
};

}  // namespace penstock
