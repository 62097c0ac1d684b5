#include "kernels/color/debayer.h"

#include <cstring>

#include "cpu/vectorize.h"
#include "kernels/bytes/channels.h"

namespace penstock {
namespace {

/// Three planes of one row: the colour the row has beside green, green, and the third colour.
template <typename T>
struct Planes {
  T *own, *green, *third;
};

/// `yes` where the mask is all ones, `no` where it is zero.
template <typename T>
T chosen(T mask, int yes, int no) {
  return static_cast<T>((yes & mask) | (no & ~mask));
}

// Every pixel is worked out both as one of the row's own colour and as green, then chosen by `is_own`: without branches
// the loops are vectorised. One loop for each plane, since the compiler gives up where too many arrays might overlap.
template <typename T>
void fill_row(Planes<T> out, const T* above, const T* row, const T* below, const T* is_own, int64_t width) {
  T *own = out.own, *green = out.green, *third = out.third;
  const int64_t end = width - 1;
  run_wide([=]() PENSTOCK_INLINE {
    for (int64_t x = 1; x < end; ++x) own[x] = chosen(is_own[x], row[x], (row[x - 1] + row[x + 1] + 1) >> 1);
    for (int64_t x = 1; x < end; ++x)
      green[x] = chosen(is_own[x], (above[x] + below[x] + row[x - 1] + row[x + 1] + 2) >> 2, row[x]);
    for (int64_t x = 1; x < end; ++x) {
      const int corners = above[x - 1] + above[x + 1] + below[x - 1] + below[x + 1];
      third[x] = chosen(is_own[x], (corners + 2) >> 2, (above[x] + below[x] + 1) >> 1);
    }
  });
}

template <typename T>
void debayer_as(View out, ConstView in, int blue_row, int blue_column, Scratch& scratch) {
  const int64_t height = in.shape[0], width = in.shape[1], pitch = 3 * width;
  const T* from = in.as<T>();
  T* to = out.as<T>();
  T* planes = scratch.array<T>(kStepTemp, 4 * width + 1);
  T* is_odd = planes + 3 * width;  // one longer than a row, so that from its second element on it tells evens
  for (int64_t x = 0; x <= width; ++x) is_odd[x] = x % 2 ? static_cast<T>(-1) : T{0};
  for (int64_t y = 1; y < height - 1; ++y) {
    const bool is_blue = (y - 1) % 2 == blue_row;
    const T* is_own = is_odd + (is_blue ? blue_column : 1 - blue_column);
    T *red = planes, *green = planes + width, *blue = planes + 2 * width;
    const T* row = from + y * width;
    fill_row<T>({is_blue ? blue : red, green, is_blue ? red : blue}, row - width, row, row + width, is_own, width);
    for (T* plane : {red, green, blue}) {
      plane[0] = plane[1];
      plane[width - 1] = plane[width - 2];
    }
    join_channels(reinterpret_cast<std::byte*>(to + y * pitch), reinterpret_cast<const std::byte*>(planes),
                  width * static_cast<int64_t>(sizeof(T)), width, 3, sizeof(T));
  }
  std::memcpy(to, to + pitch, pitch * sizeof(T));
  std::memcpy(to + (height - 1) * pitch, to + (height - 2) * pitch, pitch * sizeof(T));
}

}  // namespace

void debayer(View out, ConstView in, int blue_row, int blue_column, Scratch& scratch) {
  if (in.shape[0] < 4 || in.shape[1] < 4) {  // nothing has all its neighbours
    std::memset(out.data, 0, out.bytes());
    return;
  }
  in.dtype == DType::u8 ? debayer_as<uint8_t>(out, in, blue_row, blue_column, scratch)
                        : debayer_as<uint16_t>(out, in, blue_row, blue_column, scratch);
}

}  // namespace penstock
