#include "kernels/reduce/moments.h"

#include <algorithm>
#include <array>

#include "cpu/vectorize.h"
#include "kernels/elements/convert.h"
#include "kernels/reduce/merged_axes.h"

namespace penstock {
namespace {

constexpr int64_t kBlock = 512;
constexpr int64_t kLanes = 8;
constexpr int64_t kLongestPeriod = kBlock / kLanes;

/// A stretch of at most kBlock elements in a row. Element i belongs to place + i / repeat % period of the reduced
/// array.
struct Stretch {
  int64_t offset, n, place, period, repeat;
};

/// Walks an array by stretches along its last axis. Where that is short (the channels of a pixel), it is taken together
/// with the axis before it.
class Stretches {
 public:
  Stretches(const Shape& shape, unsigned mask) : axes_(shape, mask) {
    if (axes_.ndim == 0) axes_.ndim = 1;
    const int last = axes_.ndim - 1;
    const bool is_short = last > 0 && axes_.extent[last] <= kLongestPeriod;
    if (is_short) {
      (axes_.reduced[last] ? repeat_ : period_) = axes_.extent[last];
      axes_.extent[last - 1] *= axes_.extent[last];
      --axes_.ndim;
    } else if (axes_.reduced[last]) {
      period_ = 1;
    }
  }

  template <typename Body>
  void each(const Body& body, int axis = 0, int64_t offset = 0, int64_t place = 0) const {
    const int64_t extent = axes_.extent[axis];
    if (axis + 1 < axes_.ndim) {
      for (int64_t k = 0; k < extent; ++k)
        each(body, axis + 1, offset + k * axes_.step[axis], place + k * axes_.place[axis]);
      return;
    }
    const int64_t unit = repeat_ * std::max<int64_t>(period_, 1), longest = kBlock / unit * unit;
    for (int64_t k = 0; k < extent; k += longest) {
      const int64_t n = std::min(longest, extent - k), places = n / repeat_;
      body(Stretch{offset + k, n, period_ ? place : place + k / repeat_, period_ ? period_ : places, repeat_});
    }
  }

 private:
  MergedAxes axes_;
  int64_t period_ = 0;  // 0 where the places along the last axis are all different
  int64_t repeat_ = 1;
};

/// How many elements are worked on side by side: a multiple of the period.
int64_t lanes_of(const Stretch& s) { return s.repeat > 1 || s.period > kLongestPeriod ? s.n : s.period * kLanes; }

/// Calls pair(lane, place) for all lanes.
template <typename Pair>
void each_lane(int64_t lanes, const Stretch& s, const Pair& pair) {
  for (int64_t l = 0; l < lanes;)
    for (int64_t p = s.place; p < s.place + s.period; ++p)
      for (int64_t r = 0; r < s.repeat; ++r) pair(l++, p);
}

/// The values that belong to the elements of a stretch, one for each lane.
template <typename T>
void spread(T* to, int64_t lanes, const T* values, const Stretch& s) {
  each_lane(lanes, s, [=](int64_t lane, int64_t place) { to[lane] = values[place]; });
}

/// Calls lane(i, l) for elements i below n, l being i modulo `lanes`.
template <typename Lane>
PENSTOCK_INLINE inline void by_lanes(int64_t n, int64_t lanes, const Lane& lane) {
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (int64_t l = 0; l < lanes; ++l) lane(i + l, l);
  for (int64_t l = 0; i + l < n; ++l) lane(i + l, l);
}

/// Adds the elements of `in`, or their squared distances from `mean`, to their places in `sums`.
template <bool kSquares>
void add_up(double* sums, ConstView in, unsigned mask, const double* mean) {
  if (in.shape.volume() == 0) return;
  const ConvertRow convert = rounding_conversion(DType::f64, in.dtype);
  const int64_t item = item_bytes(in.dtype);
  alignas(64) double block[kBlock], sum[kBlock], centre[kBlock];
  Stretches(in.shape, mask).each([&](const Stretch& s) {
    convert(reinterpret_cast<std::byte*>(block), in.data + s.offset * item, s.n);
    const int64_t n = s.n, lanes = lanes_of(s);
    std::fill(sum, sum + lanes, 0.0);
    if (kSquares) spread(centre, lanes, mean, s);
    run_wide([=, x = &block[0], m = &centre[0], to = &sum[0]]() PENSTOCK_INLINE {
      double* __restrict total = to;
      const auto add = [=](double& place, int64_t i, int64_t l) PENSTOCK_INLINE {
        const double d = kSquares ? x[i] - m[l] : x[i];
        place += kSquares ? d * d : d;
      };
      if (lanes != kLanes)
        return by_lanes(n, lanes, [=](int64_t i, int64_t l) PENSTOCK_INLINE { add(total[l], i, l); });
      double eight[kLanes] = {};
      by_lanes(n, kLanes, [&](int64_t i, int64_t l) PENSTOCK_INLINE { add(eight[l], i, l); });
      std::copy(eight, eight + kLanes, total);
    });
    each_lane(lanes, s, [&](int64_t lane, int64_t place) { sums[place] += sum[lane]; });
  });
}

}  // namespace

Shape reduced_shape(const Shape& shape, unsigned mask) {
  Shape reduced = shape;
  for (int axis = 0; axis < shape.ndim; ++axis)
    if (mask >> axis & 1) reduced[axis] = 1;
  return reduced;
}

void add_sums(double* sums, ConstView in, unsigned mask) { add_up<false>(sums, in, mask, nullptr); }

void add_squares(double* sums, ConstView in, unsigned mask, const double* mean) { add_up<true>(sums, in, mask, mean); }

void scale_and_shift(View out, ConstView in, unsigned mask, const float* mean, const float* inverse, float shift) {
  if (in.shape.volume() == 0) return;
  const ConvertRow load = rounding_conversion(DType::f32, in.dtype);
  const ConvertRow store = rounding_conversion(out.dtype, DType::f32);
  const int64_t in_item = item_bytes(in.dtype), out_item = item_bytes(out.dtype);
  alignas(64) float block[kBlock], centre[kBlock], factor[kBlock];
  Stretches(in.shape, mask).each([&](const Stretch& s) {
    load(reinterpret_cast<std::byte*>(block), in.data + s.offset * in_item, s.n);
    const int64_t n = s.n, lanes = lanes_of(s);
    spread(centre, lanes, mean, s);
    spread(factor, lanes, inverse, s);
    const bool is_one_place = s.period == 1;
    run_wide([=, x = &block[0], m = &centre[0], f = &factor[0]]() PENSTOCK_INLINE {
      const float one_mean = m[0], one_factor = f[0];
      if (is_one_place)
        for (int64_t i = 0; i < n; ++i) x[i] = (x[i] - one_mean) * one_factor + shift;
      else
        by_lanes(n, lanes, [=](int64_t i, int64_t l) PENSTOCK_INLINE { x[i] = (x[i] - m[l]) * f[l] + shift; });
    });
    store(out.data + s.offset * out_item, reinterpret_cast<const std::byte*>(block), s.n);
  });
}

}  // namespace penstock
