#include "kernels/reduce/reduce.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "kernels/elements/convert.h"
#include "kernels/reduce/merged_axes.h"
#include "kernels/reduce/reduce_rules.h"

namespace penstock {
namespace {

constexpr int64_t kMostLanes = 512;
constexpr int64_t kShortRun = 32;
// Four rows read side by side are no stream to the processor, which fetches only one in a page.
constexpr int64_t kFetchedAhead = 4 << 10;

template <typename T>
PENSTOCK_INLINE inline void prefetch(const T* x, int64_t n) {
  constexpr int64_t kLine = 64 / sizeof(T);
  for (int64_t k = 0; k < n; k += kLine) __builtin_prefetch(x + k);
}

/// An array as loops around blocks of rows x places x run elements. Rows and runs are reduced; runs are short.
class Blocks {
 public:
  Blocks(const Shape& shape, unsigned mask) : axes_(shape, mask) {
    auto& [ndim, reduced, extent, step, place] = axes_;
    if (ndim > 1 && reduced[ndim - 1] && extent[ndim - 1] <= kShortRun) run = extent[--ndim];
    if (ndim && !reduced[ndim - 1]) places = extent[--ndim];
    if (ndim && reduced[ndim - 1] && run == 1) rows = extent[--ndim];
  }

  /// Calls body(offset, place) for every block: its first element, and the place that belongs to.
  template <typename Body>
  void each(const Body& body, int axis = 0, int64_t offset = 0, int64_t place = 0) const {
    if (axis == axes_.ndim) return body(offset, place);
    for (int64_t k = 0; k < axes_.extent[axis]; ++k)
      each(body, axis + 1, offset + k * axes_.step[axis], place + k * axes_.place[axis]);
  }

  int64_t rows = 1, places = 1, run = 1;

 private:
  MergedAxes axes_;
};

template <typename Rule>
class Folder {
  using T = typename Rule::T;
  using Lane = typename Rule::Lane;
  using Total = typename Rule::Total;

 public:
  Folder(Total* totals, const float* centre) : totals_(totals), centre_(centre) {}

  void block(const T* x, int64_t place, const Blocks& block) {
    if (block.run > 1)
      runs(x, place, block.places, block.run);
    else if (block.places * 4 <= kMostLanes)
      rows_side_by_side(x, place, block.rows, block.places);
    else
      columns(x, place, block.rows, block.places);
  }

 private:
  /// Adds rows of `width` elements to the lanes.
  void add_rows(const T* x, int64_t rows, int64_t width, int64_t stride) {
    run_wide([=, lanes = &lanes_[0], spread = &spread_[0]]() PENSTOCK_INLINE {
      Lane* __restrict to = lanes;
      const float* __restrict centre = spread;
      const int64_t group = 4 * width, ahead = kFetchedAhead / static_cast<int64_t>(sizeof(T));
      const int64_t fetched = stride == width && group <= ahead ? rows * width - ahead - group : -1;
      int64_t r = 0;
      for (; r + 4 <= rows; r += 4) {
        if (r * width <= fetched) prefetch(x + r * width + ahead, group);
        const T *a = x + r * stride, *b = a + stride, *c = b + stride, *d = c + stride;
        for (int64_t w = 0; w < width; ++w) {
          const float m = centre[w];
          to[w] =
              Rule::join4(to[w], Rule::term(a[w], m), Rule::term(b[w], m), Rule::term(c[w], m), Rule::term(d[w], m));
        }
      }
      for (; r < rows; ++r)
        for (int64_t w = 0; w < width; ++w) to[w] = Rule::join(to[w], Rule::term(x[r * stride + w], centre[w]));
    });
  }

  void clear(int64_t width) { std::fill(lanes_, lanes_ + width, Rule::template nothing<Lane>()); }

  void empty_lanes(int64_t place, int64_t places) {
    for (int64_t p = 0; p < places; ++p)
      totals_[place + p] = Rule::join(totals_[place + p], static_cast<Total>(lanes_[p]));
  }

  /// Few places: several rows are laid side by side, so that there are enough lanes to keep a processor busy.
  void rows_side_by_side(const T* x, int64_t place, int64_t rows, int64_t places) {
    int64_t abreast = 1;
    while (places * abreast * 2 <= Rule::kLanes && abreast * 16 <= rows) abreast *= 2;
    const int64_t width = places * abreast, n = rows * places;
    if (centre_)
      for (int64_t w = 0; w < width; ++w) spread_[w] = centre_[place + w % places];
    for (int64_t start = 0; start < n;) {
      clear(width);
      const int64_t full = std::min(Rule::kRun, (n - start) / width);
      add_rows(x + start, full, width, width);
      start += full * width;
      if (n - start < width) {
        add_rows(x + start, 1, n - start, width);
        start = n;
      }
      for (int64_t half = width / 2; half >= places; half /= 2)
        for (int64_t w = 0; w < half; ++w) lanes_[w] = Rule::join(lanes_[w], lanes_[half + w]);
      empty_lanes(place, places);
    }
  }

  void columns(const T* x, int64_t place, int64_t rows, int64_t places) {
    for (int64_t left = 0; left < places; left += kMostLanes) {
      const int64_t width = std::min(kMostLanes, places - left);
      if (centre_) std::copy_n(centre_ + place + left, width, spread_);
      for (int64_t r = 0; r < rows; r += Rule::kRun) {
        clear(width);
        add_rows(x + r * places + left, std::min(Rule::kRun, rows - r), width, places);
        empty_lanes(place + left, width);
      }
    }
  }

  /// Neighbouring elements go together. The usual numbers of channels are worth a loop of their own.
  void runs(const T* x, int64_t place, int64_t places, int64_t run) {
    Total* totals = totals_ + place;
    const float* centre = centre_ ? centre_ + place : nullptr;
    if (run == 2)
      fixed_runs<2>(totals, x, places, centre);
    else if (run == 3)
      fixed_runs<3>(totals, x, places, centre);
    else if (run == 4)
      fixed_runs<4>(totals, x, places, centre);
    else
      for (int64_t p = 0; p < places; ++p) {
        Lane lane = Rule::template nothing<Lane>();
        for (int64_t k = 0; k < run; ++k) lane = Rule::join(lane, Rule::term(x[p * run + k], centre ? centre[p] : 0));
        totals[p] = Rule::join(totals[p], static_cast<Total>(lane));
      }
  }

  template <int kCount>
  static void fixed_runs(Total* totals, const T* x, int64_t places, const float* centre) {
    run_wide([=]() PENSTOCK_INLINE {
      Total* __restrict to = totals;
      for (int64_t p = 0; p < places; ++p) {
        const float m = centre ? centre[p] : 0;
        Lane lane = Rule::template nothing<Lane>();
        for (int k = 0; k < kCount; ++k) lane = Rule::join(lane, Rule::term(x[p * kCount + k], m));
        to[p] = Rule::join(to[p], static_cast<Total>(lane));
      }
    });
  }

  Total* totals_;
  const float* centre_;
  alignas(64) Lane lanes_[kMostLanes];
  alignas(64) float spread_[kMostLanes] = {};
};

template <typename Rule>
void reduce_by(View out, ConstView in, unsigned mask, const float* centre) {
  using Total = typename Rule::Total;
  const Blocks blocks(in.shape, mask);
  std::fill_n(out.as<Total>(), out.shape.volume(), Rule::template nothing<Total>());
  if (in.shape.volume() == 0) return;
  Folder<Rule> folder(out.as<Total>(), centre);
  blocks.each([&](int64_t offset, int64_t place) { folder.block(in.as<typename Rule::T>() + offset, place, blocks); });
}

template <typename T>
void reduce_elements(View out, Accumulation accumulation, ConstView in, unsigned mask, const float* centre) {
  switch (accumulation) {
    case Accumulation::sum:
      if constexpr (std::is_floating_point_v<T>)
        return reduce_by<reduce_rules::RealSum<T>>(out, in, mask, centre);
      else
        return reduce_by<reduce_rules::Sum<T>>(out, in, mask, centre);
    case Accumulation::real_sum:
      return reduce_by<reduce_rules::RealSum<T>>(out, in, mask, centre);
    case Accumulation::squares:
      return reduce_by<reduce_rules::Squares<T>>(out, in, mask, centre);
    case Accumulation::deviations:
      return reduce_by<reduce_rules::Deviations<T>>(out, in, mask, centre);
    case Accumulation::least:
      return reduce_by<reduce_rules::Extreme<T, true>>(out, in, mask, centre);
    case Accumulation::greatest:
      return reduce_by<reduce_rules::Extreme<T, false>>(out, in, mask, centre);
  }
}

}  // namespace

DType accumulated_dtype(Accumulation accumulation, DType element) {
  if (accumulation == Accumulation::least || accumulation == Accumulation::greatest) return element;
  if (accumulation != Accumulation::sum || element == DType::f32) return DType::f64;
  const bool is_signed = element >= DType::i8 && element <= DType::i64;
  return is_signed ? DType::i64 : DType::u64;
}

void reduce_axes(View out, Accumulation accumulation, ConstView in, unsigned mask, const float* centre) {
  visit(in.dtype, [&]<typename T>() {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, double>)
      reduce_elements<T>(out, accumulation, in, mask, centre);
    else
      throw std::invalid_argument("elements of this type cannot be reduced");
  });
}

}  // namespace penstock
