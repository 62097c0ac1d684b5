#include "kernels/masks/mask_pixel.h"

#include <cmath>
#include <limits>
#include <type_traits>

#include "cpu/vectorize.h"
#include "kernels/random/draws.h"

namespace penstock {
namespace {

// Elements are counted in pieces of this size, and only the piece that has the drawn one is looked through.
constexpr int64_t kPiece = 4096;

/// Elements from `low` to `high` are foreground.
template <typename T>
struct Bounds {
  T low, high;
  bool empty = false;
};

template <typename T>
Bounds<T> bounds_of(const Foreground& foreground) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>) {
    if (foreground.value) return {static_cast<T>(*foreground.value), static_cast<T>(*foreground.value)};
    return {std::nextafter(static_cast<T>(foreground.threshold), Limits::infinity()), Limits::infinity(),
            foreground.threshold == Limits::infinity()};
  } else {
    if (foreground.value) {
      const T value = static_cast<T>(*foreground.value);
      return {value, value, static_cast<int64_t>(value) != *foreground.value || (value < 0) != (*foreground.value < 0)};
    }
    // The next whole number above, which doubles can tell for all types; beyond the range there is none.
    const double least = std::floor(static_cast<double>(foreground.threshold)) + 1;
    if (least > static_cast<double>(Limits::max())) return {0, 0, true};
    return {least <= static_cast<double>(Limits::lowest()) ? Limits::lowest() : static_cast<T>(least), Limits::max()};
  }
}

template <typename T>
int64_t count_inside(const T* values, int64_t n, Bounds<T> bounds) {
  // Sums of up to 255 fit into the narrowest lanes.
  using Narrow = std::conditional_t<sizeof(T) == 1, uint8_t, uint32_t>;
  int64_t count = 0;
  run_wide([=, total = &count]() PENSTOCK_INLINE {
    for (int64_t first = 0; first < n; first += 255) {
      const int64_t end = std::min<int64_t>(n, first + 255);
      Narrow some = 0;
      for (int64_t i = first; i < end; ++i)
        some += static_cast<Narrow>((values[i] >= bounds.low) & (values[i] <= bounds.high));
      *total += some;
    }
  });
  return count;
}

template <typename T>
std::optional<int64_t> draw_inside(PhiloxReader& words, ConstView mask, const Foreground& foreground) {
  const Bounds<T> bounds = bounds_of<T>(foreground);
  if (bounds.empty) return std::nullopt;
  const T* values = mask.as<T>();
  const int64_t n = mask.shape.volume();
  const int64_t count = count_inside(values, n, bounds);
  if (count == 0) return std::nullopt;
  auto left = static_cast<int64_t>(index_below(words, static_cast<uint64_t>(count)));
  int64_t i = 0;
  for (; i + kPiece < n; i += kPiece) {
    const int64_t here = count_inside(values + i, kPiece, bounds);
    if (left < here) break;
    left -= here;
  }
  for (;; ++i)
    if (values[i] >= bounds.low && values[i] <= bounds.high && left-- == 0) return i;
}

std::optional<int64_t> draw_foreground(PhiloxReader& words, ConstView mask, const Foreground& foreground) {
  switch (mask.dtype) {
    case DType::u16:
      return draw_inside<uint16_t>(words, mask, foreground);
    case DType::u32:
      return draw_inside<uint32_t>(words, mask, foreground);
    case DType::u64:
      return draw_inside<uint64_t>(words, mask, foreground);
    case DType::i8:
      return draw_inside<int8_t>(words, mask, foreground);
    case DType::i16:
      return draw_inside<int16_t>(words, mask, foreground);
    case DType::i32:
      return draw_inside<int32_t>(words, mask, foreground);
    case DType::i64:
      return draw_inside<int64_t>(words, mask, foreground);
    case DType::f32:
      return draw_inside<float>(words, mask, foreground);
    default:
      return draw_inside<uint8_t>(words, mask, foreground);
  }
}

}  // namespace

void draw_mask_pixel(int64_t* indices, const Philox& sequence, ConstView mask,
                     const std::optional<Foreground>& foreground) {
  PhiloxReader words(sequence);
  if (foreground) {
    if (std::optional<int64_t> place = draw_foreground(words, mask, *foreground)) {
      for (int axis = mask.shape.ndim - 1; axis >= 0; *place /= mask.shape[axis--])
        indices[axis] = *place % mask.shape[axis];
      return;
    }
  }
  for (int axis = 0; axis < mask.shape.ndim; ++axis)
    indices[axis] = static_cast<int64_t>(index_below(words, static_cast<uint64_t>(mask.shape[axis])));
}

}  // namespace penstock
