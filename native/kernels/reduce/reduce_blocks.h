// Reduces an array along axes by any rule of reduce_rules.h. Included by reduce.cc and the files of its rules only.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "kernels/elements/convert.h"
#include "kernels/reduce/merged_axes.h"
#include "kernels/reduce/reduce_rules.h"

namespace penstock::reduce_rules {

constexpr int64_t kMostLanes = 512;
constexpr int64_t kShortRun = 32;
// Four rows read side by side are no stream to the processor, which fetches only one in a page. While a group of four
// is worked on, the next one is fetched, in the order of its addresses; larger groups would not stay in the first
// cache.
constexpr int64_t kLargestFetchedGroup = 8 << 10;
constexpr int64_t kLineBytes = 64;

/// An array as loops around blocks of rows x places x run elements. Rows and runs are reduced; runs are short.
class Blocks {
 public:
  Blocks(const Shape& shape, unsigned mask) : axes_(shape, mask) {
    auto& [ndim, reduced, extent, step, place] = axes_;
    if (ndim > 1 && reduced[ndim - 1] && extent[ndim - 1] <= kShortRun) run = extent[--ndim];
    if (ndim && !reduced[ndim - 1]) places = extent[--ndim];
    if (ndim && reduced[ndim - 1] && run == 1) rows = extent[--ndim];
  }

  using Body = void (*)(void* folder, int64_t offset, int64_t place, const Blocks& blocks);

  /// Calls body(folder, offset, place, *this) for every block: its first element, and the place that belongs to. A
  /// pointer to a function, so that there is one walk for all rules and types: compiled for each, it took as long to
  /// compile as the loops over elements.
  [[gnu::noinline]] void each(Body body, void* folder, int axis = 0, int64_t offset = 0, int64_t place = 0) const {
    if (axis == axes_.ndim) return body(folder, offset, place, *this);
    for (int64_t k = 0; k < axes_.extent[axis]; ++k)
      each(body, folder, axis + 1, offset + k * axes_.step[axis], place + k * axes_.place[axis]);
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
  Folder(Total* totals, const T* in, const float* centre) : totals_(totals), in_(in), centre_(centre) {}

  void block(int64_t offset, int64_t place, const Blocks& block) {
    const T* x = in_ + offset;
    if (block.run > 1)
      runs(x, place, block.places, block.run);
    else if (block.places * 4 <= kMostLanes)
      rows_side_by_side(x, place, block.rows, block.places);
    else
      columns(x, place, block.rows, block.places);
  }

 private:
  /// Adds rows of `width` elements to the lanes. Not inlined: it is called from several places, and would be compiled
  /// once more for each.
  [[gnu::noinline]] void add_rows(const T* x, int64_t rows, int64_t width, int64_t stride) {
    run_wide([=, lanes = &lanes_[0], spread = &spread_[0]]() PENSTOCK_INLINE {
      Lane* __restrict to = lanes;
      const float* __restrict centre = spread;
      constexpr int64_t kLine = kLineBytes / static_cast<int64_t>(sizeof(T));
      const int64_t group = 4 * width;
      const bool fetches = stride == width && group * static_cast<int64_t>(sizeof(T)) <= kLargestFetchedGroup;
      const int64_t at_once = fetches ? 4 * kLine : width;
      int64_t r = 0;
      for (; r + 4 <= rows; r += 4) {
        const T *a = x + r * stride, *b = a + stride, *c = b + stride, *d = c + stride;
        for (int64_t first = 0; first < width; first += at_once) {
          const int64_t end = std::min(first + at_once, width);
          if (fetches)
            for (int64_t k = 4 * first; k < 4 * end; k += kLine) __builtin_prefetch(a + group + k);
          for (int64_t w = first; w < end; ++w) {
            const float m = centre[w];
            to[w] =
                Rule::join4(to[w], Rule::term(a[w], m), Rule::term(b[w], m), Rule::term(c[w], m), Rule::term(d[w], m));
          }
        }
      }
      for (; r < rows; ++r)
        for (int64_t w = 0; w < width; ++w) to[w] = Rule::join(to[w], Rule::term(x[r * stride + w], centre[w]));
    });
  }

  /// The same for rows of kLanes elements, one after the other: lanes stay in registers, which takes half the time. A
  /// lane gets the same elements in the same order.
  void add_whole_rows(const T* x, int64_t rows) {
    run_wide([=, lanes = &lanes_[0]]() PENSTOCK_INLINE {
      constexpr int kVectors = 8, kWidth = Rule::kLanes / kVectors;
      typedef T Vector __attribute__((vector_size(kWidth * sizeof(T))));
      typedef T Stored __attribute__((vector_size(kWidth * sizeof(T)), aligned(alignof(T)), may_alias));
      [&]<int... k>(std::integer_sequence<int, k...>) PENSTOCK_INLINE {
        Vector sums[kVectors];
        ((sums[k] = *reinterpret_cast<const Stored*>(lanes + k * kWidth)), ...);
        for (const T* row = x; row < x + rows * Rule::kLanes; row += Rule::kLanes)
          (Rule::join_vectors(sums[k], Vector(*reinterpret_cast<const Stored*>(row + k * kWidth))), ...);
        ((*reinterpret_cast<Stored*>(lanes + k * kWidth) = sums[k]), ...);
      }
      (std::make_integer_sequence<int, kVectors>{});
    });
  }

  /// The upper half of the lanes is joined to the lower one until one is left, in loops of known lengths: sums of
  /// floats, which do this every 16 rows, take 0.93 times as long.
  void join_all_lanes() {
    run_wide([lanes = &lanes_[0]]() PENSTOCK_INLINE { join_upper_half<Rule::kLanes / 2>(lanes); });
  }

  template <int64_t kHalf>
  PENSTOCK_INLINE static void join_upper_half(Lane* lanes) {
    for (int64_t w = 0; w < kHalf; ++w) lanes[w] = Rule::join(lanes[w], lanes[kHalf + w]);
    if constexpr (kHalf > 1) join_upper_half<kHalf / 2>(lanes);
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
    if (Rule::kIsCentred)
      for (int64_t w = 0; w < width; ++w) spread_[w] = centre_[place + w % places];
    for (int64_t start = 0; start < n;) {
      clear(width);
      const int64_t full = std::min(Rule::kRun, (n - start) / width);
      if constexpr (Rule::kFitRegisters)
        width == Rule::kLanes ? add_whole_rows(x + start, full) : add_rows(x + start, full, width, width);
      else
        add_rows(x + start, full, width, width);
      start += full * width;
      if (n - start < width) {
        add_rows(x + start, 1, n - start, width);
        start = n;
      }
      if (places == 1 && width == Rule::kLanes)
        join_all_lanes();
      else
        for (int64_t half = width / 2; half >= places; half /= 2)
          for (int64_t w = 0; w < half; ++w) lanes_[w] = Rule::join(lanes_[w], lanes_[half + w]);
      empty_lanes(place, places);
    }
  }

  void columns(const T* x, int64_t place, int64_t rows, int64_t places) {
    for (int64_t left = 0; left < places; left += kMostLanes) {
      const int64_t width = std::min(kMostLanes, places - left);
      if (Rule::kIsCentred) std::copy_n(centre_ + place + left, width, spread_);
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
    const float* centre = Rule::kIsCentred ? centre_ + place : nullptr;
    if (run == 2)
      fixed_runs<2>(totals, x, places, centre);
    else if (run == 3)
      fixed_runs<3>(totals, x, places, centre);
    else if (run == 4)
      fixed_runs<4>(totals, x, places, centre);
    else
      for (int64_t p = 0; p < places; ++p) {
        Lane lane = Rule::template nothing<Lane>();
        for (int64_t k = 0; k < run; ++k)
          lane = Rule::join(lane, Rule::term(x[p * run + k], Rule::kIsCentred ? centre[p] : 0));
        totals[p] = Rule::join(totals[p], static_cast<Total>(lane));
      }
  }

  template <int kCount>
  static void fixed_runs(Total* totals, const T* x, int64_t places, const float* centre) {
    run_wide([=]() PENSTOCK_INLINE {
      Total* __restrict to = totals;
      for (int64_t p = 0; p < places; ++p) {
        const float m = Rule::kIsCentred ? centre[p] : 0;
        Lane lane = Rule::template nothing<Lane>();
        for (int k = 0; k < kCount; ++k) lane = Rule::join(lane, Rule::term(x[p * kCount + k], m));
        to[p] = Rule::join(to[p], static_cast<Total>(lane));
      }
    });
  }

  Total* totals_;
  const T* in_;
  const float* centre_;
  alignas(64) Lane lanes_[kMostLanes];
  alignas(64) float spread_[kMostLanes] = {};
};

/// What does not depend on the rule: found once and not compiled for each.
struct Reduction {
  std::byte* out;
  int64_t places;
  const std::byte* in;
  const float* centre;
  const Blocks* blocks;  // null where there are no elements
};

template <typename Rule>
void reduce_by(const Reduction& reduction) {
  using T = typename Rule::T;
  using Total = typename Rule::Total;
  auto* totals = reinterpret_cast<Total*>(reduction.out);
  std::fill_n(totals, reduction.places, Rule::template nothing<Total>());
  if (!reduction.blocks) return;
  Folder<Rule> folder(totals, reinterpret_cast<const T*>(reduction.in), reduction.centre);
  const Blocks::Body body = [](void* of, int64_t offset, int64_t place, const Blocks& block) {
    static_cast<Folder<Rule>*>(of)->block(offset, place, block);
  };
  reduction.blocks->each(body, &folder);
}

/// Reduces by Rule<T>, T being the type of the elements.
template <template <typename> typename Rule>
void reduce_elements(DType dtype, const Reduction& reduction) {
  visit(dtype, [&]<typename T>() {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, double>)
      reduce_by<Rule<T>>(reduction);
    else
      throw std::invalid_argument("elements of this type cannot be reduced");
  });
}

// Each pair in a file of its own, since they take seconds to compile.
void reduce_to_sum(DType dtype, const Reduction& reduction);
void reduce_to_real_sum(DType dtype, const Reduction& reduction);
void reduce_to_squares(DType dtype, const Reduction& reduction);
void reduce_to_deviations(DType dtype, const Reduction& reduction);
void reduce_to_least(DType dtype, const Reduction& reduction);
void reduce_to_greatest(DType dtype, const Reduction& reduction);

}  // namespace penstock::reduce_rules
