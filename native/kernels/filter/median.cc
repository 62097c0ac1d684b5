#include "kernels/filter/median.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "cpu/prefetch.h"
#include "cpu/vectorize.h"
#include "kernels/bytes/stream.h"

namespace penstock {
namespace {

// Everything below is written without inner loops: compilers vectorise the loop over pixels around it.

template <typename T>
PENSTOCK_INLINE inline void order(T& a, T& b) {
  const T low = b < a ? b : a;
  b = b < a ? a : b;
  a = low;
}

template <typename T>
PENSTOCK_INLINE inline void sort(std::array<T, 3>& v) {
  order(v[0], v[1]);
  order(v[1], v[2]);
  order(v[0], v[1]);
}

template <typename T>
PENSTOCK_INLINE inline void sort(std::array<T, 5>& v) {
  order(v[0], v[1]);
  order(v[3], v[4]);
  order(v[2], v[4]);
  order(v[2], v[3]);
  order(v[1], v[4]);
  order(v[0], v[3]);
  order(v[0], v[2]);
  order(v[1], v[3]);
  order(v[1], v[2]);
}

/// Moves the least of the first so many to their start, and the greatest to their end.
template <typename T, size_t kSize, size_t... kInner>
PENSTOCK_INLINE inline void part(std::array<T, kSize>& v, std::index_sequence<kInner...>) {
  constexpr size_t kLast = sizeof...(kInner) + 1;
  (order(v[0], v[kInner + 1]), ...);
  order(v[0], v[kLast]);
  (order(v[kInner + 1], v[kLast]), ...);
}

/// The median of eleven. The least and the greatest of seven are not it: they give way to the next, and so on.
template <typename T>
PENSTOCK_INLINE inline T median(std::array<T, 7> v, const std::array<T, 4>& rest) {
  part(v, std::make_index_sequence<5>());
  v[0] = rest[0];
  part(v, std::make_index_sequence<4>());
  v[0] = rest[1];
  part(v, std::make_index_sequence<3>());
  v[0] = rest[2];
  part(v, std::make_index_sequence<2>());
  v[0] = rest[3];
  part(v, std::make_index_sequence<1>());
  return v[1];
}

template <typename T, size_t... k>
PENSTOCK_INLINE inline std::array<T, sizeof...(k)> at(const std::array<const T*, sizeof...(k)>& rows, int64_t x,
                                                      std::index_sequence<k...>) {
  return {rows[k][x]...};
}

/// Neighbours along a row, sorted.
template <typename T, size_t... k>
PENSTOCK_INLINE inline std::array<T, sizeof...(k)> along(const T* row, int64_t step, std::index_sequence<k...>) {
  std::array<T, sizeof...(k)> v{row[static_cast<int64_t>(k) * step]...};
  sort(v);
  return v;
}

/// Sorted columns, sorted along rows as well: few are left that can be the median of all nine.
template <typename T>
PENSTOCK_INLINE inline T median_of(const std::array<const T*, 3>& sorted, int64_t x, int64_t step) {
  constexpr auto k = std::make_index_sequence<3>();
  std::array<T, 3> v{along(sorted[0] + x, step, k)[2], along(sorted[1] + x, step, k)[1],
                     along(sorted[2] + x, step, k)[0]};
  sort(v);
  return v[1];
}

/// The same of twenty-five: thirteen are left, of which the least is among four and the greatest among four others.
template <typename T>
PENSTOCK_INLINE inline T median_of(const std::array<const T*, 5>& sorted, int64_t x, int64_t step) {
  constexpr auto k = std::make_index_sequence<5>();
  const auto r0 = along(sorted[0] + x, step, k), r1 = along(sorted[1] + x, step, k), r2 = along(sorted[2] + x, step, k);
  const auto r3 = along(sorted[3] + x, step, k), r4 = along(sorted[4] + x, step, k);
  std::array<T, 4> low{r0[3], r1[2], r2[1], r3[0]}, high{r4[1], r3[2], r2[3], r1[4]};
  order(low[0], low[1]);
  order(low[0], low[2]);
  order(low[0], low[3]);
  order(high[1], high[0]);
  order(high[2], high[0]);
  order(high[3], high[0]);
  return median<T>({low[1], low[2], low[3], r0[4], r1[3], r2[2], r3[1]}, {r4[0], high[1], high[2], high[3]});
}

template <typename T, size_t kSize>
void sort_columns(const std::array<T*, kSize>& out, const std::array<const T*, kSize>& in, int64_t n) {
  run_wide([=]() PENSTOCK_INLINE {
    PENSTOCK_INDEPENDENT
    for (int64_t x = 0; x < n; ++x) {
      auto v = at<T>(in, x, std::make_index_sequence<kSize>());
      sort(v);
      out[0][x] = v[0];
      out[1][x] = v[1];
      out[2][x] = v[2];
      if constexpr (kSize == 5) {
        out[3][x] = v[3];
        out[4][x] = v[4];
      }
    }
  });
}

template <typename T, size_t kSize>
void medians_of_row(T* out, const std::array<const T*, kSize>& sorted, int64_t step, int64_t n) {
  run_wide([=]() PENSTOCK_INLINE {
    PENSTOCK_INDEPENDENT
    for (int64_t x = 0; x < n; ++x) out[x] = median_of<T>(sorted, x, step);
  });
}

/// Repeats the first and the last pixel of a row beyond it.
template <typename T>
void repeat_ends(T* row, int64_t n, int64_t channels, int64_t reach) {
  for (int64_t k = 0; k < reach; ++k)
    for (int64_t i = 0; i < channels; ++i) {
      row[i - (k + 1) * channels] = row[i];
      row[n + k * channels + i] = row[n - channels + i];
    }
}

template <typename T, size_t kSize>
void medians_of_plane(T* out, const T* in, const Volume& volume, Scratch& scratch) {
  constexpr int64_t kReach = kSize / 2, kLine = 64 / sizeof(T);
  const auto whole_lines = [](int64_t n) { return (n + kLine - 1) / kLine * kLine; };
  const int64_t c = volume.channels, row = volume.width * c, beside = kReach * c;
  const int64_t row_bytes = row * static_cast<int64_t>(sizeof(T));
  const bool streams = scratch.past_caches && row_bytes >= kShortestStreamedRow;
  // Sorted columns begin where a line of the cache does: vectors across two lines take a tenth longer.
  const int64_t before = whole_lines(beside), stride = before + whole_lines(row + beside);
  T* memory = scratch.array<T>(kStepTemp, (kSize + 1) * stride);
  T* made = memory + kSize * stride;
  std::array<T*, kSize> sorted;
  std::array<const T*, kSize> columns, padded;
  for (size_t k = 0; k < kSize; ++k) {
    sorted[k] = memory + k * stride + before;
    padded[k] = sorted[k] - beside;
  }
  for (int64_t y = 0; y < volume.height; ++y, out += row) {
    for (int64_t k = 0; k < static_cast<int64_t>(kSize); ++k)
      columns[k] = in + std::clamp<int64_t>(y + k - kReach, 0, volume.height - 1) * row;
    if (y + kReach + 1 < volume.height) prefetch_row(in + (y + kReach + 1) * row, row_bytes);
    sort_columns<T, kSize>(sorted, columns, row);
    for (T* each : sorted) repeat_ends(each, row, c, kReach);
    medians_of_row<T, kSize>(streams ? made : out, padded, c, row);
    if (streams) stream(reinterpret_cast<std::byte*>(out), reinterpret_cast<const std::byte*>(made), row_bytes);
  }
  if (streams) finish_streams();
}

}  // namespace

void take_medians(View out, ConstView in, const Volume& volume, int size, Scratch& scratch) {
  if (in.shape.volume() == 0) return;
  const auto run = [&]<typename T>(T) {
    const auto of_plane = size == 3 ? medians_of_plane<T, 3> : medians_of_plane<T, 5>;
    const int64_t plane = volume.height * volume.width * volume.channels;
    for (int64_t k = 0; k < volume.outer; ++k)
      of_plane(out.as<T>() + k * plane, in.as<T>() + k * plane, volume, scratch);
  };
  switch (in.dtype) {
    case DType::u8:
      return run(uint8_t{});
    case DType::u16:
      return run(uint16_t{});
    case DType::i16:
      return run(int16_t{});
    case DType::i32:
      return run(int32_t{});
    case DType::f32:
      return run(float{});
    default:
      throw std::runtime_error("only uint8, uint16, int16, int32 and float32 have medians");
  }
}

}  // namespace penstock
