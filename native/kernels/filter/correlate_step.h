// The step that correlates samples with a filter given as an array.
#pragma once

#include "kernels/filter/correlate.h"
#include "kernels/step.h"
#include "memory/per_sample.h"

namespace penstock {

/// Correlates samples with given weights.
class Filter : public Step {
 public:
  struct Weights {
    std::vector<float> values;
    Shape shape;  // an extent for every spatial axis
  };
  struct Options {
    std::vector<Weights> filters;   // one for all samples, or one for each
    PerSampleRows<int32_t> anchor;  // a place in the filter for every axis, -1 for its middle
    PerSample<float> fill{0.0f};    // what lies beyond the edges with Border::pad
    Border border = Border::reflect_101;
    bool whole_only = false;  // only places where all of the filter lies on the input
    DType dtype = DType::u8;
  };
  Filter(SpatialAxes axes, Options options) : axes_(axes), options_(std::move(options)) {}

  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;

 private:
  const Weights& filter(size_t sample) const { return options_.filters[options_.filters.size() == 1 ? 0 : sample]; }
  int64_t anchor(size_t sample, int axis) const;

  SpatialAxes axes_;
  Options options_;
};

}  // namespace penstock
