#include "kernels/filter/gaussian_blur_step.h"

#include <cmath>

namespace penstock {
namespace {

HalfWindow gaussian(double sigma, int32_t size) {
  const int radius = size / 2;
  HalfWindow window(radius + 1);
  double sum = 0;
  const auto at = [&](int k) { return std::exp(-k * static_cast<double>(k) / (2 * sigma * sigma)); };
  for (int k = 0; k <= radius; ++k) sum += at(k) * (k ? 2 : 1);
  for (int k = 0; k <= radius; ++k) window[k] = static_cast<float>(at(k) / sum);
  return window;
}

}  // namespace

void GaussianBlur::run(size_t sample, View out, ConstView in, Scratch& scratch) const {
  SeparableTerm term;
  for (int axis = 0; axis < axes_.count; ++axis)
    term.of_axis(axis, axes_.count) = gaussian(sigma_[sample][axis], size_[sample][axis]);
  filter_separably(out, in, Volume::of(in.shape, axes_), {&term, 1}, scratch);
}

}  // namespace penstock
