// Steps that move points, whose coordinates are the last axis of an array.
#pragma once

#include "kernels/step.h"
#include "memory/per_sample.h"

namespace penstock {

/// Points through a matrix of any number of rows, and moved.
class MapPoints : public Step {
 public:
  struct Options {
    PerSampleRows<float> matrix;  // row by row
    int64_t columns = 0;          // 0: as many as fit
    bool moves = false;           // the last column is what is added
    PerSampleRows<float> shift;   // one number for all coordinates or one for each; unused where the matrix moves
    DType dtype = DType::f32;
  };
  explicit MapPoints(Options options) : options_(std::move(options)) {}

  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;

 private:
  Options options_;
};

/// Coordinates times factors, and moved. Rows have one number for all coordinates or one for each; with `spare` they
/// may have more, of which the first are taken.
class ScalePoints : public Step {
 public:
  struct Options {
    PerSampleRows<float> factor, shift;
    bool spare = false;
    DType dtype = DType::f32;
  };
  explicit ScalePoints(Options options) : options_(std::move(options)) {}

  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;

 private:
  Options options_;
};

}  // namespace penstock
