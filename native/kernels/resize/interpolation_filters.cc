#include "kernels/resize/interpolation_filters.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace penstock {
namespace {

// Filters are sampled and read with linear interpolation, and positions are single floats: the reference results
// are made that way, and at window edges the rounding decides which pixels a Gaussian sees.
struct SampledFilter {
  std::vector<float> sample;  // and a 0 behind the last
  float step_per_pixel = 0;   // samples per input pixel
  float anchor = 0;           // from the window's start to its centre, in input pixels

  void stretch_to(float support) {
    step_per_pixel = last() / support;
    anchor = last() * 0.5f / step_per_pixel;
  }
  float last() const { return static_cast<float>(sample.size() - 2); }
  int taps() const { return static_cast<int>(std::ceil(last() / step_per_pixel)); }

  float at(float position) const {
    if (!(position >= 0 && position < last() + 1)) return 0;
    const int i = static_cast<int>(position);
    return sample[i] + (position - static_cast<float>(i)) * (sample[i + 1] - sample[i]);
  }
};

/// Samples `f` at `count` points evenly spread over [-radius, radius].
/// Never destroyed: daemon threads may still be at work while the process exits.
template <typename F>
const SampledFilter& sampled(int count, double radius, F f) {
  auto* const filter = new SampledFilter;
  for (int i = 0; i < count; ++i) filter->sample.push_back(static_cast<float>(f(radius * (2.0 * i / (count - 1) - 1))));
  filter->sample.push_back(0);
  return *filter;
}

double cubic(double x) {
  x = std::abs(x);
  if (x >= 2) return 0;
  return x <= 1 ? (1.5 * x - 2.5) * x * x + 1 : ((-0.5 * x + 2.5) * x - 4) * x + 2;
}

double sinc(double x) { return x == 0 ? 1 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x); }

const SampledFilter& prototype(Interp interp) {
  static const SampledFilter& triangle = sampled(3, 1, [](double x) { return 1 - std::abs(x); });
  static const SampledFilter& gauss = sampled(65, 2, [](double x) { return std::exp(-x * x); });
  static const SampledFilter& cubic_spline = sampled(129, 2, cubic);
  static const SampledFilter& lanczos = sampled(193, 3, [](double x) { return sinc(x) * sinc(x / 3); });
  switch (interp) {
    case Interp::gaussian:
      return gauss;
    case Interp::cubic:
      return cubic_spline;
    case Interp::lanczos3:
      return lanczos;
    default:
      return triangle;
  }
}

SampledFilter filter_for(const AxisSpec& spec) {
  const float extent = std::abs(spec.hi - spec.lo);
  const float out = static_cast<float>(spec.out);
  const bool blurs = spec.antialias && extent > out;
  const float lobes = spec.interp == Interp::cubic ? 2 : spec.interp == Interp::lanczos3 ? 3 : 1;
  const float radius = blurs ? lobes * extent / out : lobes;
  SampledFilter filter = prototype(spec.interp);
  if (spec.interp == Interp::gaussian) {
    // The way through sigma is not exact, and its rounding is part of the result.
    const float sigma = static_cast<float>(radius * 0.5 / std::numbers::sqrt2);
    filter.stretch_to(std::max(1.0f, static_cast<float>(4 * std::numbers::sqrt2) * sigma));
  } else {
    filter.stretch_to(2 * radius);
  }
  return filter;
}

int32_t clamped(float position, int64_t low, int64_t high) {
  return static_cast<int32_t>(std::clamp(position, static_cast<float>(low), static_cast<float>(high)));
}

// Halfway between two pixels rounding decides, so this follows the reference: the last axis multiplies, the others add
// step by step, counted from the first pixel of the region.
void compute_nearest(AxisWeights& table, const AxisSpec& spec, bool is_last) {
  table.taps = 1;
  table.weight.assign(spec.out, 1.0f);
  const float scale = (spec.hi - spec.lo) / static_cast<float>(spec.out);
  const float first = std::floor(std::min(spec.lo, spec.hi));
  float centre = spec.lo - first + 0.5f * scale;
  for (int64_t x = 0; x < spec.out; ++x, centre += scale) {
    const float multiplied = spec.lo + (static_cast<float>(x) + 0.5f) * scale;
    const float at = is_last ? std::floor(multiplied) : std::floor(centre) + first;
    table.start[x] = clamped(at, 0, spec.in - 1);
  }
}

}  // namespace

bool AxisSpec::is_identity() const {
  return in == out && lo == 0 && hi == static_cast<float>(in) && interp != Interp::gaussian;
}

void AxisWeights::compute(const AxisSpec& spec, bool is_last) {
  start.resize(spec.out);
  if (spec.interp == Interp::nearest) return compute_nearest(*this, spec, is_last);

  const SampledFilter filter = filter_for(spec);
  const int32_t support = filter.taps();
  const int32_t last = static_cast<int32_t>(spec.in - 1);
  taps = std::min(support, last + 1);
  weight.resize(spec.out * taps);
  const float scale = (spec.hi - spec.lo) / static_cast<float>(spec.out);
  const float origin = spec.lo + (0.5f * scale - 0.5f - filter.anchor);
  std::vector<double> values(support), window(taps);
  for (int64_t x = 0; x < spec.out; ++x) {
    const float left = static_cast<float>(x) * scale + origin;
    const float first = std::ceil(left);
    const int32_t from = clamped(first, -support, spec.in);
    start[x] = std::clamp(from, 0, last + 1 - taps);
    double sum = 0;
    for (int32_t k = 0; k < support; ++k) {
      values[k] = filter.at((first - left + static_cast<float>(k)) * filter.step_per_pixel);
      sum += values[k];
    }
    const bool is_inside = taps == support && start[x] == from;
    if (!is_inside) {
      std::fill(window.begin(), window.end(), 0.0);
      for (int32_t k = 0; k < support; ++k) window[std::clamp(from + k - start[x], 0, taps - 1)] += values[k];
    }
    const std::vector<double>& seen = is_inside ? values : window;
    for (int32_t k = 0; k < taps; ++k) weight[x * taps + k] = static_cast<float>(seen[k] / sum);
  }
}

}  // namespace penstock
