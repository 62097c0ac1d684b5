#include "kernels/reduce/reduce_step.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/elements/convert.h"
#include "kernels/reduce/moments.h"

namespace penstock {
namespace {

Accumulation accumulation_of(Reduction kind, DType element) {
  switch (kind) {
    case Reduction::sum:
      return Accumulation::sum;
    case Reduction::mean:
      return item_bytes(element) == 8 ? Accumulation::real_sum : Accumulation::sum;
    case Reduction::mean_square:
    case Reduction::rms:
      return Accumulation::squares;
    case Reduction::variance:
    case Reduction::std_dev:
      return Accumulation::deviations;
    case Reduction::min:
      return Accumulation::least;
    case Reduction::max:
      return Accumulation::greatest;
  }
  throw std::invalid_argument("no such reduction");
}

/// Sums of integers keep their low bits in a narrower type, as if they had been made in it. All else is cut off after
/// the point and kept in the range of the type.
template <typename To, typename From>
To cut(From value) {
  if constexpr (std::is_floating_point_v<To> || std::is_integral_v<From>)
    return static_cast<To>(value);
  else
    return saturated<To>(value);
}

template <typename To, typename From>
void put(To* out, const From* totals, int64_t n, Reduction kind, double divisor) {
  if (kind == Reduction::sum) {
    for (int64_t i = 0; i < n; ++i) out[i] = cut<To>(totals[i]);
  } else if (kind == Reduction::rms || kind == Reduction::std_dev) {
    for (int64_t i = 0; i < n; ++i) out[i] = cut<To>(std::sqrt(static_cast<double>(totals[i]) / divisor));
  } else {
    for (int64_t i = 0; i < n; ++i) out[i] = cut<To>(static_cast<double>(totals[i]) / divisor);
  }
}

std::vector<int64_t> without_ones(const Shape& shape) {
  std::vector<int64_t> extents;
  for (int axis = 0; axis < shape.ndim; ++axis)
    if (shape[axis] != 1) extents.push_back(shape[axis]);
  return extents;
}

/// As Python shows a shape: "(3, 4)".
std::string tuple_text(const Shape& shape) {
  std::string result = "(";
  for (int axis = 0; axis < shape.ndim; ++axis) result += (axis ? ", " : "") + std::to_string(shape[axis]);
  return result + (shape.ndim == 1 ? ",)" : ")");
}

}  // namespace

Spec Reduce::infer(size_t, const Spec& in, ConstView) const {
  if (options_.keep_dims) return {options_.dtype, reduced_shape(in.shape, options_.mask)};
  Shape kept;
  for (int axis = 0; axis < in.shape.ndim; ++axis)
    if (!(options_.mask >> axis & 1)) kept[kept.ndim++] = in.shape[axis];
  return {options_.dtype, kept};
}

const float* Reduce::centre(size_t sample, const Shape& places, Scratch& scratch) const {
  const Samples& means = options_.means.value();
  const ConstView mean = means.const_view(means.size() == 1 ? 0 : sample);
  const int64_t count = places.volume();
  if (mean.shape.volume() == 1) {
    float* spread = scratch.array<float>(kStepFactors, count);
    std::fill(spread, spread + count, *mean.as<float>());
    return spread;
  }
  if (without_ones(mean.shape) != without_ones(places))
    throw std::runtime_error("a mean of shape " + tuple_text(mean.shape) + " does not go with a result of shape " +
                             tuple_text(places) + "; give one number, or one for each element of the result");
  return mean.as<float>();
}

void Reduce::run(size_t sample, View out, ConstView in, Scratch& scratch) const {
  const Reduction kind = options_.kind;
  const Accumulation accumulation = accumulation_of(kind, in.dtype);
  const Shape places = reduced_shape(in.shape, options_.mask);
  const int64_t n = places.volume();
  const float* about = options_.means ? centre(sample, places, scratch) : nullptr;
  View totals{out.data, accumulated_dtype(accumulation, in.dtype), places};
  const bool is_plain = kind == Reduction::sum || kind == Reduction::min || kind == Reduction::max;
  if (is_plain && totals.dtype == out.dtype) return reduce_axes(totals, accumulation, in, options_.mask);
  totals.data = scratch.bytes(kStepTemp, totals.bytes());
  reduce_axes(totals, accumulation, in, options_.mask, about);
  const auto count = static_cast<double>(n ? in.shape.volume() / n : 0);
  const double divisor = about ? count - options_.ddof : count;
  visit(out.dtype, [&]<typename To>() {
    if constexpr (std::is_arithmetic_v<To>)
      visit(totals.dtype, [&]<typename From>() {
        if constexpr (sizeof(From) == 8) put(out.as<To>(), totals.as<From>(), n, kind, divisor);
      });
  });
}

}  // namespace penstock
