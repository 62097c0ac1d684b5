#include "kernels/filter/correlate.h"

#include <algorithm>
#include <cmath>

#include "kernels/elements/convert.h"
#include "kernels/filter/correlate_spectra.h"
#include "kernels/filter/weighted_sum.h"
#include "kernels/filter/weighted_sum_tile.h"

namespace penstock {
namespace {

/// Weights of columns whose product with weights of the rest is the stencil, to the precision of its elements; none
/// where the stencil is no such product. `rest` has a weight for every row of every plane.
std::vector<float> column_factors(const Stencil& stencil, std::vector<float>& rest) {
  const int64_t rows = stencil.depth * stencil.rows, columns = stencil.columns;
  const float* const end = stencil.weights + rows * columns;
  const auto smaller = [](float a, float b) { return std::abs(a) < std::abs(b); };
  const int64_t largest = std::max_element(stencil.weights, end, smaller) - stencil.weights;
  const float* row = stencil.weights + largest / columns * columns;
  const float* column = stencil.weights + largest % columns;
  const float peak = stencil.weights[largest];
  rest.resize(rows);
  for (int64_t j = 0; j < rows; ++j) {
    rest[j] = column[j * columns] / peak;
    for (int64_t k = 0; k < columns; ++k)
      if (!(std::abs(stencil.weights[j * columns + k] - rest[j] * row[k]) <= 2e-7f * std::abs(peak))) return {};
  }
  return {row, row + columns};
}

bool is_product(const Stencil& stencil) {
  std::vector<float> rest;
  return !column_factors(stencil, rest).empty();
}

/// Whether sums of bytes under the stencil are whole numbers of 16 bits.
bool stencil_stays_small(const Stencil& stencil) {
  float most = 0;
  for (int64_t k = 0; k < stencil.volume(); ++k) {
    if (stencil.weights[k] != std::round(stencil.weights[k])) return false;
    most += std::abs(stencil.weights[k]);
  }
  return most * 255 <= 32767;
}

template <typename Sums>
class Correlation {
  using T = typename Sums::Value;
  static constexpr DType kDType = std::is_same_v<T, float> ? DType::f32 : DType::i16;

 public:
  Correlation(const Volume& made, const Volume& volume, const Stencil& stencil, const Surroundings& around,
              Scratch& scratch)
      : made_(made), volume_(volume), stencil_(stencil), border_(around.border), fill_(static_cast<T>(around.fill)) {
    row_ = made.width * made.channels;
    padded_ = (made.width + stencil.columns - 1) * made.channels;
    find_taps();
    const bool every_tap = static_cast<int64_t>(taps_.size()) == stencil.rows * stencil.columns;
    if (std::is_same_v<T, float> && stencil.depth == 1 && every_tap && stencil.rows >= kTileRows) at_once_ = kTileRows;
    ring_rows_ = stencil.rows + at_once_ - 1;
    sum_ = scratch.array<T>(kStepTemp, at_once_ * row_ + (stencil.depth * ring_rows_ + 1) * padded_);
    padded_row_ = sum_ + at_once_ * row_;
    rings_ = padded_row_ + padded_;
    for (size_t k = 0; k < columns_.size(); ++k) column_rows_[k] = padded_row_ + k * volume_.channels;
  }

  void run(View out, ConstView in) {
    const ConvertRow load = rounding_conversion(kDType, in.dtype);
    const ConvertRow store = rounding_conversion(out.dtype, kDType);
    const int64_t plane_bytes = volume_.height * volume_.width * volume_.channels * item_bytes(in.dtype);
    std::byte* to = out.data;
    for (int64_t k = 0; k < made_.outer; ++k) {
      const std::byte* from = in.data + k * volume_.depth * plane_bytes;
      for (int64_t d = 0; d < made_.depth; ++d) {
        for (int64_t y = 0, ready = 0, count; y < made_.height; y += count) {
          count = made_.height - y < at_once_ ? 1 : at_once_;
          for (; ready < y + stencil_.rows + count - 1; ++ready) load_rows(from, d, ready, load, item_bytes(in.dtype));
          T* sum = out.dtype == kDType ? reinterpret_cast<T*>(to) : sum_;
          count == 1 ? sum_row(sum, y) : sum_tile(sum, y);
          if (sum == sum_) store(to, reinterpret_cast<const std::byte*>(sum_), count * row_);
          to += count * row_ * item_bytes(out.dtype);
        }
      }
    }
  }

 private:
  struct Tap {
    int64_t plane, row, offset;
  };

  void find_taps() {
    std::vector<float> weights;
    if constexpr (std::is_same_v<T, float>) columns_ = column_factors(stencil_, weights);
    column_rows_.resize(columns_.size());
    const int64_t across = columns_.empty() ? stencil_.columns : 1;
    if (columns_.empty()) weights.assign(stencil_.weights, stencil_.weights + stencil_.volume());
    for (int64_t k = 0; k < static_cast<int64_t>(weights.size()); ++k) {
      if (weights[k] == 0) continue;
      const int64_t row = k / across;
      taps_.push_back({row / stencil_.rows, row % stencil_.rows, k % across * volume_.channels});
      weights_.push_back(static_cast<T>(weights[k]));
    }
    rows_.resize(std::max<size_t>(taps_.size(), stencil_.rows + kTileRows - 1));
  }

  void sum_row(T* sum, int64_t y) {
    for (size_t t = 0; t < taps_.size(); ++t) rows_[t] = slot(taps_[t].plane, y + taps_[t].row) + taps_[t].offset;
    weighted_sum<Sums>(sum, rows_.data(), weights_.data(), static_cast<int64_t>(taps_.size()), row_);
  }

  /// Sums of kTileRows rows from y on.
  void sum_tile(T* sum, int64_t y) {
    if constexpr (std::is_same_v<T, float>) {
      float* out[kTileRows];
      for (int j = 0; j < kTileRows; ++j) out[j] = sum + j * row_;
      for (int64_t i = 0; i < ring_rows_; ++i) rows_[i] = slot(0, y + i);
      weighted_sum_tile(out, rows_.data(), {weights_.data(), stencil_.rows, stencil_.columns, volume_.channels}, row_);
    }
  }

  /// Rows are counted from the first one under any stencil.
  T* slot(int64_t plane, int64_t row) const { return rings_ + (plane * ring_rows_ + row % ring_rows_) * padded_; }

  /// The place in the input, negative where there is none.
  int64_t place(int64_t i, int64_t size) const {
    if (i >= 0 && i < size) return i;
    return border_ == Border::pad ? -1 : repeated(i, size, border_);
  }

  /// Brings row v of all planes that matter to plane d into the rings.
  void load_rows(const std::byte* in, int64_t d, int64_t v, ConvertRow load, int64_t item) {
    const int64_t row = volume_.width * volume_.channels, y = place(v - stencil_.anchor_row, volume_.height);
    for (int64_t i = 0; i < stencil_.depth; ++i) {
      const int64_t z = place(d + i - stencil_.anchor_depth, volume_.depth);
      T* padded = columns_.empty() ? slot(i, v) : padded_row_;
      if (y < 0 || z < 0) {
        std::fill(padded, padded + padded_, fill_);
      } else {
        auto* middle = reinterpret_cast<std::byte*>(padded + stencil_.anchor_column * volume_.channels);
        load(middle, in + (z * volume_.height + y) * row * item, row);
        surround(padded);
      }
      if (!columns_.empty())
        weighted_sum<Sums>(slot(i, v), column_rows_.data(), columns_.data(), static_cast<int64_t>(columns_.size()),
                           row_);
    }
  }

  /// Fills in what lies beyond the ends of a row.
  void surround(T* padded) const {
    const int64_t c = volume_.channels, before = stencil_.anchor_column, pixels = padded_ / c;
    const T* middle = padded + before * c;
    for (int64_t k = 0; k < pixels; ++k) {
      if (k == before) k += volume_.width;
      if (k >= pixels) break;
      const int64_t x = place(k - before, volume_.width);
      for (int64_t i = 0; i < c; ++i) padded[k * c + i] = x < 0 ? fill_ : middle[x * c + i];
    }
  }

  Volume made_, volume_;
  Stencil stencil_;
  Border border_;
  T fill_;
  int64_t row_, padded_;             // elements in a row of the result, and of the input with its surroundings
  int64_t at_once_ = 1, ring_rows_;  // rows made together, and what of the input must be there for them
  T *sum_, *padded_row_, *rings_;
  std::vector<T> columns_;  // where the stencil is a product: what rows are filtered with as they come
  std::vector<const T*> column_rows_;
  std::vector<Tap> taps_;  // those that weigh anything
  std::vector<T> weights_;
  std::vector<const T*> rows_;
};

}  // namespace

void correlate(View out, const Volume& made, ConstView in, const Volume& volume, const Stencil& stencil,
               const Surroundings& around, Scratch& scratch) {
  if (out.shape.volume() == 0) return;
  if (in.dtype == DType::u8 && stencil_stays_small(stencil))
    Correlation<Whole16>(made, volume, stencil, around, scratch).run(out, in);
  else if (in.dtype == DType::u8 && out.dtype == DType::u8 && spectra_are_quicker(made, stencil) &&
           !is_product(stencil))
    correlate_spectra(out, made, in, volume, stencil, around, scratch);
  else
    Correlation<Float32>(made, volume, stencil, around, scratch).run(out, in);
}

}  // namespace penstock
