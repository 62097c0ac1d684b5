#include "kernels/filter/separable.h"

#include <algorithm>
#include <cmath>

#include "cpu/vectorize.h"
#include "kernels/array/axis_map.h"
#include "kernels/elements/convert.h"
#include "kernels/filter/weighted_sum.h"

namespace penstock {
namespace {

int radius_of(const HalfWindow& window) { return static_cast<int>(window.size()) - 1; }

/// Weights as the inner loops take them.
template <typename Sums>
std::vector<typename Sums::Value> scaled(const HalfWindow& window) {
  return {window.begin(), window.end()};
}

/// In units of 2^-15, adding up to what the window adds up to, so that areas of one colour keep it.
template <>
std::vector<int16_t> scaled<Fixed16>(const HalfWindow& window) {
  constexpr float kOne = 32768;
  std::vector<int16_t> weights(window.size());
  float carried = 0;  // what rounding has left over, from the outside inwards
  for (size_t k = window.size(); k-- > 0;) {
    const float sides = k == 0 ? 1 : 2;
    const float exact = window[k] * kOne + carried / sides;
    weights[k] = static_cast<int16_t>(std::min(std::round(exact), kOne - 1));
    carried = (exact - static_cast<float>(weights[k])) * sides;
  }
  return weights;
}

template <typename Value>
constexpr DType kDType = std::is_same_v<Value, int16_t> ? DType::i16
                         : std::is_same_v<Value, float> ? DType::f32
                                                        : DType::f64;

template <typename Sums>
void load(typename Sums::Value* out, const std::byte* in, int64_t n, DType dtype) {
  rounding_conversion(kDType<typename Sums::Value>, dtype)(reinterpret_cast<std::byte*>(out), in, n);
}
template <>
void load<Fixed16>(int16_t* out, const std::byte* in, int64_t n, DType) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(in);
  run_wide([=]() PENSTOCK_INLINE {
    for (int64_t x = 0; x < n; ++x) out[x] = static_cast<int16_t>(bytes[x] << Fixed16::kBits);
  });
}

template <typename Sums>
void store(std::byte* out, const typename Sums::Value* in, int64_t n, DType dtype) {
  rounding_conversion(dtype, kDType<typename Sums::Value>)(out, reinterpret_cast<const std::byte*>(in), n);
}
template <>
void store<Fixed16>(std::byte* out, const int16_t* in, int64_t n, DType) {
  // Rounding errors may take a sum of very many products past white; none is below zero.
  constexpr int16_t kHalf = 1 << (Fixed16::kBits - 1), kLargest = (256 << Fixed16::kBits) - 1 - kHalf;
  auto* bytes = reinterpret_cast<uint8_t*>(out);
  run_wide([=]() PENSTOCK_INLINE {
    for (int64_t x = 0; x < n; ++x) {
      const int16_t sum = in[x] < kLargest ? in[x] : kLargest;
      bytes[x] = static_cast<uint8_t>(static_cast<uint16_t>(sum + kHalf) >> Fixed16::kBits);
    }
  });
}

int64_t mirrored(int64_t i, int64_t size) { return i >= 0 && i < size ? i : repeated(i, size, Border::reflect_101); }

/// Filters the planes of one sample row by row.
template <typename Sums>
class RowFilter {
  using T = typename Sums::Value;

 public:
  RowFilter(const Volume& volume, std::span<const SeparableTerm> terms, DType to, DType from, Scratch& scratch)
      : volume_(volume), to_(to), from_(from), row_(volume.width * volume.channels) {
    for (const SeparableTerm& term : terms) {
      terms_.push_back({scaled<Sums>(term.depth), scaled<Sums>(term.rows), scaled<Sums>(term.columns), nullptr});
      depth_reach_ = std::max(depth_reach_, radius_of(term.depth));
      row_reach_ = std::max(row_reach_, radius_of(term.rows));
      column_reach_ = std::max(column_reach_, radius_of(term.columns));
    }
    ring_rows_ = std::min<int64_t>(volume.height, 2 * row_reach_ + 1);
    window_.resize(2 * std::max({depth_reach_, row_reach_, column_reach_}) + 1);
    allot(scratch);
  }

  void run(std::byte* out, const std::byte* in) {
    for (int64_t k = 0; k < volume_.outer; ++k) {
      for (int64_t d = 0; d < volume_.depth; ++d, out += volume_.height * row_ * item_bytes(to_)) plane(out, in, d);
      in += volume_.depth * volume_.height * row_ * item_bytes(from_);
    }
  }

 private:
  struct Term {
    std::vector<T> depth, rows, columns;
    T* ring;  // the last rows, filtered along columns
  };

  void allot(Scratch& scratch) {
    const int64_t end = column_reach_ * volume_.channels;
    const int64_t rows = 2 + ring_rows_ * static_cast<int64_t>(terms_.size()) + 2 * depth_reach_ + 1;
    T* memory = scratch.array<T>(kStepTemp, rows * row_ + 2 * end);
    middle_ = memory + end;
    sum_ = middle_ + row_ + end;
    slices_ = sum_ + row_;
    T* ring = slices_ + (2 * depth_reach_ + 1) * row_;
    for (Term& term : terms_) {
      term.ring = ring;
      ring += ring_rows_ * row_;
    }
  }

  void plane(std::byte* out, const std::byte* in, int64_t d) {
    int64_t ready = 0;
    for (int64_t y = 0; y < volume_.height; ++y, out += row_ * item_bytes(to_)) {
      for (; ready <= std::min(y + row_reach_, volume_.height - 1); ++ready) filter_columns(in, d, ready);
      T* sum = to_ == kDType<T> ? reinterpret_cast<T*>(out) : sum_;
      for (const Term& term : terms_)
        apply(sum, term.rows, &term != &terms_[0], [&](int k) { return slot(term, mirrored(y + k, volume_.height)); });
      if (sum == sum_) store<Sums>(out, sum_, row_, to_);
    }
  }

  /// Puts row y of plane d, filtered along depth and columns, into the rings.
  void filter_columns(const std::byte* in, int64_t d, int64_t y) {
    T* slices = depth_reach_ ? slices_ : middle_;
    for (int k = -depth_reach_; k <= depth_reach_; ++k) {
      const int64_t row = mirrored(d + k, volume_.depth) * volume_.height + y;
      load<Sums>(slices + (k + depth_reach_) * row_, in + row * row_ * item_bytes(from_), row_, from_);
    }
    for (const Term& term : terms_) {
      if (depth_reach_) apply(middle_, term.depth, false, [&](int k) { return slices_ + (k + depth_reach_) * row_; });
      if (depth_reach_ || &term == &terms_[0]) mirror_ends();
      apply(slot(term, y), term.columns, false, [&](int k) { return middle_ + k * volume_.channels; });
    }
  }

  /// Weighs the rows that `row_at` tells, from -radius to radius.
  template <typename RowAt>
  void apply(T* out, const std::vector<T>& weights, bool adds, RowAt row_at) {
    const int radius = static_cast<int>(weights.size()) - 1;
    for (int k = -radius; k <= radius; ++k) window_[k + radius] = row_at(k);
    symmetric_weighted_sum<Sums>(out, window_.data(), weights.data(), radius, row_, adds);
  }

  T* slot(const Term& term, int64_t y) const { return term.ring + y % ring_rows_ * row_; }

  void mirror_ends() {
    const int64_t c = volume_.channels, last = volume_.width - 1;
    for (int64_t k = 1; k <= column_reach_; ++k) {
      const T* low = middle_ + mirrored(-k, volume_.width) * c;
      const T* high = middle_ + mirrored(last + k, volume_.width) * c;
      for (int64_t i = 0; i < c; ++i) {
        middle_[i - k * c] = low[i];
        middle_[i + (last + k) * c] = high[i];
      }
    }
  }

  Volume volume_;
  DType to_, from_;
  int64_t row_;  // elements in a row
  std::vector<Term> terms_;
  int depth_reach_ = 0, row_reach_ = 0, column_reach_ = 0;  // of the largest windows, to one side
  int64_t ring_rows_ = 0;
  std::vector<const T*> window_;
  T *middle_ = nullptr, *sum_ = nullptr, *slices_ = nullptr;
};

/// A filter of 3 x 3 that is symmetric along both axes, in whole numbers: all its terms in one pass, which is possible
/// because their sums are exact in any order.
class SquareFilter {
 public:
  SquareFilter(const Volume& volume, std::span<const SeparableTerm> terms, DType to, Scratch& scratch)
      : volume_(volume), to_(to), row_(volume.width * volume.channels), stride_(row_ + 2 * volume.channels) {
    const auto weight = [](const HalfWindow& window, size_t k) { return k < window.size() ? window[k] : 0.0f; };
    for (const SeparableTerm& term : terms) {
      const float scale = term.depth[0];
      for (size_t y = 0; y < 2; ++y)
        for (size_t x = 0; x < 2; ++x)
          weights_[y][x] += static_cast<int16_t>(scale * weight(term.rows, y) * weight(term.columns, x));
    }
    ring_ = scratch.array<int16_t>(kStepTemp, 3 * stride_ + row_);
    sum_ = ring_ + 3 * stride_;
  }

  void run(std::byte* out, const std::byte* in) {
    for (int64_t k = 0; k < volume_.outer * volume_.depth; ++k) {
      plane(out, in);
      out += volume_.height * row_ * item_bytes(to_);
      in += volume_.height * row_;
    }
  }

 private:
  void plane(std::byte* out, const std::byte* in) {
    const auto row_at = [&](int64_t y) { return slot(mirrored(y, volume_.height)); };
    int64_t ready = 0;
    for (int64_t y = 0; y < volume_.height; ++y, out += row_ * item_bytes(to_)) {
      for (; ready <= std::min(y + 1, volume_.height - 1); ++ready) load_row(slot(ready), in + ready * row_);
      int16_t* sum = to_ == DType::i16 ? reinterpret_cast<int16_t*>(out) : sum_;
      add_up(sum, row_at(y - 1), row_at(y), row_at(y + 1));
      if (sum == sum_) store<Whole16>(out, sum_, row_, to_);
    }
  }

  int16_t* slot(int64_t y) const { return ring_ + y % 3 * stride_ + volume_.channels; }

  void load_row(int16_t* row, const std::byte* in) const {
    load<Whole16>(row, in, row_, DType::u8);
    const int64_t c = volume_.channels;
    std::copy_n(row + mirrored(-1, volume_.width) * c, c, row - c);
    std::copy_n(row + mirrored(volume_.width, volume_.width) * c, c, row + row_);
  }

  void add_up(int16_t* out, const int16_t* above, const int16_t* at, const int16_t* below) const {
    const int64_t n = row_, c = volume_.channels;
    const int16_t middle = weights_[0][0], side = weights_[0][1], over = weights_[1][0], corner = weights_[1][1];
    run_wide([=]() PENSTOCK_INLINE {
      PENSTOCK_INDEPENDENT
      for (int64_t x = 0; x < n; ++x) {
        const auto sides = static_cast<int16_t>(at[x - c] + at[x + c]);
        const auto over_and_under = static_cast<int16_t>(above[x] + below[x]);
        const auto corners = static_cast<int16_t>(above[x - c] + above[x + c] + below[x - c] + below[x + c]);
        out[x] = static_cast<int16_t>(middle * at[x] + side * sides + over * over_and_under + corner * corners);
      }
    });
  }

  Volume volume_;
  DType to_;
  int64_t row_, stride_;        // elements in a row, and in one with a pixel more at either end
  int16_t weights_[2][2] = {};  // by distance from the middle, down and across
  int16_t *ring_ = nullptr, *sum_ = nullptr;
};

float total(const HalfWindow& window) {
  float sum = std::abs(window[0]);
  for (size_t k = 1; k < window.size(); ++k) sum += 2 * std::abs(window[k]);
  return sum;
}

template <typename Holds>
bool all_weights(std::span<const SeparableTerm> terms, Holds holds) {
  const auto all = [&](const auto& weights) { return std::all_of(weights.begin(), weights.end(), holds); };
  return std::all_of(terms.begin(), terms.end(),
                     [&](const SeparableTerm& term) { return all(term.depth) && all(term.rows) && all(term.columns); });
}

/// Whether the result is an average of pixels in a plane.
bool averages(std::span<const SeparableTerm> terms) {
  const auto is_one = [](float sum) { return std::abs(sum - 1) < 1e-3f; };
  return terms.size() == 1 && terms[0].depth.size() == 1 && is_one(total(terms[0].rows)) &&
         is_one(total(terms[0].columns)) && all_weights(terms, [](float w) { return w >= 0; });
}

/// Whether sums of bytes, and all they are made of, are whole numbers of 16 bits.
bool terms_stay_small(std::span<const SeparableTerm> terms) {
  float most = 0;
  for (const SeparableTerm& term : terms) most += total(term.depth) * total(term.rows) * total(term.columns);
  return most * 255 <= 32767 && all_weights(terms, [](float w) { return w == std::round(w); });
}

bool is_square(std::span<const SeparableTerm> terms) {
  return std::all_of(terms.begin(), terms.end(), [](const SeparableTerm& term) {
    return term.depth.size() == 1 && term.rows.size() <= 2 && term.columns.size() <= 2;
  });
}

}  // namespace

Volume Volume::of(const Shape& shape, SpatialAxes axes) {
  Volume volume;
  volume.outer = shape.volume(0, axes.first);
  int64_t* const extents[] = {&volume.width, &volume.height, &volume.depth};
  for (int k = 0; k < axes.count; ++k) *extents[k] = shape[axes.first + axes.count - 1 - k];
  volume.channels = shape.volume(axes.first + axes.count, shape.ndim);
  return volume;
}

void filter_separably(View out, ConstView in, const Volume& volume, std::span<const SeparableTerm> terms,
                      Scratch& scratch) {
  if (in.shape.volume() == 0) return;
  const auto run = [&]<typename Sums>(Sums) {
    RowFilter<Sums>(volume, terms, out.dtype, in.dtype, scratch).run(out.data, in.data);
  };
  if (in.dtype == DType::u8 && out.dtype == DType::u8 && averages(terms))
    run(Fixed16{});
  else if (in.dtype == DType::u8 && terms_stay_small(terms) && is_square(terms))
    SquareFilter(volume, terms, out.dtype, scratch).run(out.data, in.data);
  else if (in.dtype == DType::u8 && terms_stay_small(terms))
    run(Whole16{});
  else if (item_bytes(in.dtype) < 4 || in.dtype == DType::f32)
    run(Float32{});
  else
    run(Float64{});
}

}  // namespace penstock
