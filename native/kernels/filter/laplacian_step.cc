#include "kernels/filter/laplacian_step.h"

#include <cmath>

namespace penstock {
namespace {

/// `window` convolved so often with [1, 1].
std::vector<double> smoothed(std::vector<double> window, int times) {
  for (int i = 0; i < times; ++i) {
    window.push_back(0);
    for (size_t k = window.size() - 1; k > 0; --k) window[k] += window[k - 1];
  }
  return window;
}

HalfWindow outer_half(const std::vector<double>& window, double scale) {
  HalfWindow half;
  for (size_t k = window.size() / 2; k < window.size(); ++k) half.push_back(static_cast<float>(scale * window[k]));
  return half;
}

}  // namespace

SeparableTerm Laplacian::derivative(size_t sample, int axis) const {
  const int32_t* window = options_.window[sample];
  SeparableTerm term;
  int exponent = -2;
  for (int other = 0; other < axes_.count; ++other) {
    const bool derives = other == axis;
    const int32_t smoothing = options_.smoothing.width() ? options_.smoothing[sample][other] : window[axis];
    const int32_t size = derives ? window[axis] : smoothing;
    exponent += size - 1;
    const std::vector<double> full = derives ? smoothed({1, -2, 1}, size - 3) : smoothed({1}, size - 1);
    term.of_axis(other, axes_.count) = outer_half(full, derives ? options_.scale[sample][axis] : 1);
  }
  if (options_.normalizes)
    for (float& weight : term.of_axis(axis, axes_.count)) weight = std::ldexp(weight, -exponent);
  return term;
}

void Laplacian::run(size_t sample, View out, ConstView in, Scratch& scratch) const {
  std::vector<SeparableTerm> terms;
  for (int axis = 0; axis < axes_.count; ++axis) terms.push_back(derivative(sample, axis));
  filter_separably(out, in, Volume::of(in.shape, axes_), terms, scratch);
}

}  // namespace penstock
