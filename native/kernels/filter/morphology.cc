#include "kernels/filter/morphology.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "cpu/vectorize.h"

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

  static void rows(T* out, const T* a, const T* b, const T* c, int64_t n) {
    run_wide([=]() PENSTOCK_INLINE {
      for (int64_t x = 0; x < n; ++x) out[x] = of(of(a[x], b[x]), c[x]);
    });
  }

  static void into(T* row, const T* other, int64_t n) {
    run_wide([=]() PENSTOCK_INLINE {
      for (int64_t x = 0; x < n; ++x) row[x] = of(row[x], other[x]);
    });
  }
};

/// Planes row by row. Along rows, blocks as high as the mask are kept as extremes from each row to the block's end:
/// with those from the start of the next block on they cover any mask, whatever its height, by three comparisons a
/// pixel. Along columns, extremes of twice as many pixels are made of two until three of them cover the mask.
template <typename T, Extreme kExtreme>
class Extremes {
  using Chosen = Choice<T, kExtreme>;

 public:
  Extremes(const Volume& volume, const Mask& mask, Border border, Scratch& scratch)
      : volume_(volume), mask_(mask), border_(border), row_(volume.width * volume.channels) {
    padded_ = row_ + (mask.columns - 1) * volume.channels;
    memory_ = scratch.array<T>(kStepTemp, 2 * padded_ + (mask.rows + 2) * row_);
    none_ = memory_ + 2 * padded_;
    since_ = none_ + row_;
    block_ = since_ + row_;
    std::fill(none_, none_ + row_, Chosen::kNone);
  }

  void plane(T* out, const T* in) {
    T* middle = memory_ + mask_.anchor_column * volume_.channels;
    for (int64_t y = 0; y < volume_.height; ++y, out += row_) {
      const int64_t j = y % mask_.rows;
      if (j == 0) {
        make_block(in, y);
        std::memcpy(middle, slot(0), row_ * sizeof(T));
      } else {
        const T* last = under_mask(in, y + mask_.rows - 1);
        if (j == 1)
          std::memcpy(since_, last, row_ * sizeof(T));
        else
          Chosen::into(since_, last, row_);
        Chosen::rows(middle, slot(j), since_, row_);
      }
      along_row(out, middle);
    }
  }

 private:
  T* slot(int64_t j) const { return block_ + j * row_; }

  /// The place in the input, negative where there is none.
  int64_t place(int64_t i, int64_t size) const {
    if (i >= 0 && i < size) return i;
    return border_ == Border::pad ? -1 : repeated(i, size, border_);
  }

  /// Row v, counted from the first one under any mask.
  const T* under_mask(const T* in, int64_t v) const {
    const int64_t y = place(v - mask_.anchor_row, volume_.height);
    return y < 0 ? none_ : in + y * row_;
  }

  void make_block(const T* in, int64_t v) {
    int64_t j = mask_.rows - 1;
    std::memcpy(slot(j), under_mask(in, v + j), row_ * sizeof(T));
    while (--j >= 0) Chosen::rows(slot(j), slot(j + 1), under_mask(in, v + j), row_);
  }

  /// Makes the extremes along a row that lies in `memory_`, with room for what is beside it.
  void along_row(T* out, const T* middle) {
    const int64_t c = volume_.channels, before = mask_.anchor_column, pixels = padded_ / c;
    for (int64_t k = before ? 0 : volume_.width; k < pixels; k = k + 1 == before ? before + volume_.width : k + 1) {
      const int64_t x = place(k - before, volume_.width);
      for (int64_t i = 0; i < c; ++i) memory_[k * c + i] = x < 0 ? Chosen::kNone : middle[x * c + i];
    }
    T *widened = memory_, *spare = memory_ + padded_;
    int64_t covered = 1;
    for (; 3 * covered < mask_.columns; covered *= 2, std::swap(widened, spare))
      Chosen::rows(spare, widened, widened + covered * c, padded_ - (2 * covered - 1) * c);
    const T* last = widened + (mask_.columns - covered) * c;
    if (2 * covered < mask_.columns)
      Chosen::rows(out, widened, widened + covered * c, last, row_);
    else
      Chosen::rows(out, widened, last, row_);
  }

  Volume volume_;
  Mask mask_;
  Border border_;
  int64_t row_, padded_;  // elements in a row, and in one with its surroundings
  T *memory_, *none_, *since_, *block_;
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
