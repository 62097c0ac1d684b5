// The step that reduces samples along chosen axes: sums, means, deviations, extremes.
#pragma once

#include <optional>
#include <utility>

#include "kernels/reduce/reduce.h"
#include "kernels/step.h"
#include "memory/samples.h"

namespace penstock {

/// In the order of the names Python knows them by.
enum class Reduction : uint8_t { sum, mean, mean_square, rms, variance, std_dev, min, max };

/// One number for all elements along chosen axes.
class Reduce : public Step {
 public:
  struct Options {
    Reduction kind = Reduction::sum;
    unsigned mask = 0;  // axes that are reduced
    bool keep_dims = false;
    DType dtype = DType::f32;
    int ddof = 0;                  // taken off the number of elements in variance and std_dev
    std::optional<Samples> means;  // f32, of each sample or of all; needed for variance and std_dev
  };
  explicit Reduce(Options options) : options_(std::move(options)) {}

  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;

 private:
  const float* centre(size_t sample, const Shape& places, Scratch& scratch) const;

  Options options_;
};

}  // namespace penstock
