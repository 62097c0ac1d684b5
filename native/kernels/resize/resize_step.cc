#include "kernels/resize/resize_step.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace penstock {
namespace {

// Coordinates are single floats, which count pixels one by one only this far.
constexpr int64_t kMaxExtent = int64_t{1} << 24;

void require(bool condition, const std::string& message) {
  if (!condition) throw std::invalid_argument(message);
}

bool is_supported(DType dtype) {
  return dtype == DType::u8 || dtype == DType::i16 || dtype == DType::u16 || dtype == DType::f32;
}

template <typename T>
T of_sample(const std::vector<T>& values, size_t sample) {
  return values.size() == 1 ? values[0] : values[sample];
}

}  // namespace

Resize::Resize(ResizeArguments arguments) : arguments_(std::move(arguments)) {
  const ResizeArguments& a = arguments_;
  require(a.axes.size() == a.rule.axes(), "resize needs a size for each of its axes");
  require(std::is_sorted(a.axes.begin(), a.axes.end()) && a.axes.front() >= 0, "resize takes axes in ascending order");
  require(is_supported(a.dtype), "resize can output uint8, int16, uint16 and float32 only");
}

AxisSpec Resize::axis_spec(size_t sample, int64_t extent, const AxisTarget& target) const {
  AxisSpec spec{extent, target.size, static_cast<float>(target.lo), static_cast<float>(target.hi)};
  const std::string limit = std::to_string(kMaxExtent);
  require(extent <= kMaxExtent, std::to_string(extent) + " pixels are too many to resize; the limit is " + limit);
  require(std::abs(spec.lo) <= static_cast<float>(kMaxExtent) && std::abs(spec.hi) <= static_cast<float>(kMaxExtent),
          "the region of interest reaches beyond " + limit + " pixels");
  const bool shrinks = std::abs(spec.hi - spec.lo) > static_cast<float>(spec.out);
  spec.interp = of_sample(shrinks ? arguments_.min_filters : arguments_.mag_filters, sample);
  spec.antialias = arguments_.antialias;
  return spec;
}

std::vector<ResampledAxis> Resize::plan(size_t sample, const Shape& in) const {
  const std::vector<int>& axes = arguments_.axes;
  require(axes.back() < in.ndim,
          "a sample of " + std::to_string(in.ndim) + " dimensions has no axis " + std::to_string(axes.back()));
  AxisTarget targets[kMaxDims];
  arguments_.rule.apply(sample, in, axes, targets);
  std::vector<ResampledAxis> planned;
  for (size_t i = 0; i < axes.size(); ++i) planned.push_back({axes[i], axis_spec(sample, in[axes[i]], targets[i])});
  return planned;
}

Spec Resize::infer(size_t sample, const Spec& in, ConstView) const {
  require(is_supported(in.dtype), "resize takes uint8, int16, uint16 and float32 only");
  require(arguments_.dtype == in.dtype || arguments_.dtype == DType::f32,
          "resize must output the input's type or float32");
  Spec out{arguments_.dtype, in.shape};
  for (const ResampledAxis& a : plan(sample, in.shape)) out.shape[a.axis] = a.spec.out;
  double volume = 1;
  for (int axis = 0; axis < out.shape.ndim; ++axis) volume *= static_cast<double>(out.shape[axis]);
  require(volume < 1e12, "the output would have " + std::to_string(volume) + " elements; give smaller sizes");
  return out;
}

void Resize::run(size_t sample, View out, ConstView in, Scratch& scratch) const {
  if (out.shape.volume() == 0) return;
  resample(out, in, plan(sample, in.shape), scratch);
}

}  // namespace penstock
