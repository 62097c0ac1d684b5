#include "kernels/morphology.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "kernels/simd.h"

namespace penstock {
namespace {

template <typename T, Extreme kExtreme>
struct Choice {
  /// What any pixel wins against.
  static constexpr T kNone =
      kExtreme == Extreme::smallest ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();

  PENSTOCK_INLINE static T of(T a, T b) {
    if constexpr (kExtreme == Extreme::smallest)
      return b < a ? b : a;
    else
      return a < b ? b : a;
  }

  /// `out` must not overlap `a` and `b`: compilers check that, and do not vectorise where it does.
  static void rows(T* out, const T* a, const T* b, int64_t n) {
    run_wide([=]() PENSTOCK_INLINE {
      for (int64_t x = 0; x < n; ++x) out[x] = of(a[x], b[x]);
    });
  }

  static void into(T* row, const T* other, int64_t n) {
    run_wide([=]() PENSTOCK_INLINE {
      for (int64_t x = 0; x < n; ++x) row[x] = of(row[x], other[x]);
    });
  }
};

/// Planes row by row. Along columns, extremes of twice as many pixels are made of two until the mask is covered. Along
/// rows, blocks as high as the mask are kept as extremes from each row to the block's end: with those from the start of
/// the next block on they cover any mask, whatever its height, by three comparisons a pixel.
template <typename T, Extreme kExtreme>
class Extremes {
  using Chosen = Choice<T, kExtreme>;

 public:
  Extremes(const Volume& volume, const Mask& mask, Border border, Scratch& scratch)
      : volume_(volume), mask_(mask), border_(border), row_(volume.width * volume.channels) {
    padded_ = row_ + (mask.columns - 1) * volume.channels;
    memory_ = scratch.array<T>(kStepTemp, 2 * padded_ + (mask.rows + 1) * row_);
    since_ = memory_ + 2 * padded_;
    block_ = since_ + row_;
  }

  void plane(T* out, const T* in) {
    for (int64_t j = 0; j < mask_.rows; ++j) load(slot(j), in, j);
    close_block();
    for (int64_t y = 0; y < volume_.height; ++y, out += row_) {
      const int64_t j = y % mask_.rows;
      if (j == 0)
        std::memcpy(out, slot(0), row_ * sizeof(T));
      else
        Chosen::rows(out, slot(j), j == 1 ? slot(0) : since_, row_);
      if (y + 1 == volume_.height) break;
      load(slot(j), in, y + mask_.rows);
      if (j == 1)
        Chosen::rows(since_, slot(0), slot(1), row_);
      else if (j > 1)
        Chosen::into(since_, slot(j), row_);
      if (j + 1 == mask_.rows) close_block();
    }
  }

 private:
  T* slot(int64_t j) const { return block_ + j * row_; }

  void close_block() {
    for (int64_t j = mask_.rows - 2; j >= 0; --j) Chosen::into(slot(j), slot(j + 1), row_);
  }

  /// The place in the input, negative where there is none.
  int64_t place(int64_t i, int64_t size) const {
    if (i >= 0 && i < size) return i;
    return border_ == Border::pad ? -1 : repeated(i, size, border_);
  }

  /// Makes the extremes along columns of row v, counted from the first one under any mask.
  void load(T* out, const T* in, int64_t v) {
    const int64_t c = volume_.channels, before = mask_.anchor_column, pixels = padded_ / c;
    const int64_t y = place(v - mask_.anchor_row, volume_.height);
    if (y < 0) {
      std::fill(out, out + row_, Chosen::kNone);
      return;
    }
    const T* from = in + y * row_;
    std::memcpy(memory_ + before * c, from, row_ * sizeof(T));
    for (int64_t k = 0; k < pixels; ++k) {
      if (k == before) k += volume_.width;
      if (k >= pixels) break;
      const int64_t x = place(k - before, volume_.width);
      for (int64_t i = 0; i < c; ++i) memory_[k * c + i] = x < 0 ? Chosen::kNone : from[x * c + i];
    }
    T *widened = memory_, *spare = memory_ + padded_;
    int64_t covered = 1;
    for (; 2 * covered < mask_.columns; covered *= 2, std::swap(widened, spare))
      Chosen::rows(spare, widened, widened + covered * c, padded_ - (2 * covered - 1) * c);
    Chosen::rows(out, widened, widened + (mask_.columns - covered) * c, row_);
  }

  Volume volume_;
  Mask mask_;
  Border border_;
  int64_t row_, padded_;  // elements in a row, and in one with its surroundings
  T *memory_, *since_, *block_;
};

template <typename T, Extreme kExtreme>
void run(View out, ConstView in, const Volume& volume, const Mask& mask, Border border, Scratch& scratch) {
  Extremes<T, kExtreme> extremes(volume, mask, border, scratch);
  const int64_t plane = volume.height * volume.width * volume.channels;
  for (int64_t k = 0; k < volume.outer * volume.depth; ++k)
    extremes.plane(out.as<T>() + k * plane, in.as<T>() + k * plane);
}

}  // namespace

void take_extremes(View out, ConstView in, const Volume& volume, const Mask& mask, Border border, Extreme extreme,
                   Scratch& scratch) {
  if (in.shape.volume() == 0) return;
  const auto of_type = [&]<typename T>(T) {
    const auto run_of = extreme == Extreme::smallest ? run<T, Extreme::smallest> : run<T, Extreme::largest>;
    run_of(out, in, volume, mask, border, scratch);
  };
  switch (in.dtype) {
    case DType::u8:
      return of_type(uint8_t{});
    case DType::u16:
      return of_type(uint16_t{});
    case DType::i16:
      return of_type(int16_t{});
    case DType::f32:
      return of_type(float{});
    default:
      throw std::runtime_error("only uint8, uint16, int16 and float32 have largest and smallest pixels");
  }
}

}  // namespace penstock
