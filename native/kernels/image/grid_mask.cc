#include "kernels/image/grid_mask.h"

#include <cmath>
#include <cstring>

#include "cpu/newest.h"

namespace penstock {
namespace {

/// The places of the pixels of a row, in tiles: `x` and `y` of its first pixel, and what each pixel adds.
struct Line {
  float x, y, x_step, y_step;
};

inline bool is_beyond(float place, float ratio) { return place - std::floor(place) >= ratio; }

// All bits where a pixel is kept, none where it is inside a square.
PENSTOCK_INLINE inline void mark_kept(uint8_t* kept, int32_t width, Line line, float ratio) {
  for (int32_t x = 0; x < width; ++x) {
    const int across = is_beyond(static_cast<float>(x) * line.x_step - line.x, ratio);
    const int down = is_beyond(static_cast<float>(x) * line.y_step + line.y, ratio);
    kept[x] = across | down ? 0xff : 0;
  }
}

PENSTOCK_INLINE inline void mask_3(uint8_t* out, const uint8_t* in, const uint8_t* kept, int64_t width) {
  for (int64_t x = 0; x < width; ++x)
    for (int c = 0; c < 3; ++c) out[3 * x + c] = in[3 * x + c] & kept[x];
}

PENSTOCK_INLINE inline void mask_1(uint8_t* out, const uint8_t* in, const uint8_t* kept, int64_t width) {
  for (int64_t x = 0; x < width; ++x) out[x] = in[x] & kept[x];
}

void mask_row(std::byte* out, const std::byte* in, const uint8_t* kept, int64_t width, int64_t bytes) {
  auto* to = reinterpret_cast<uint8_t*>(out);
  const auto* from = reinterpret_cast<const uint8_t*>(in);
  if (bytes == 1) return newest<mask_1>(to, from, kept, width);
  if (bytes == 3) return newest<mask_3>(to, from, kept, width);
  for (int64_t x = 0; x < width;) {
    const int64_t first = x;
    while (x < width && kept[x] == kept[first]) ++x;
    if (kept[first])
      std::memcpy(to + first * bytes, from + first * bytes, (x - first) * bytes);
    else
      std::memset(to + first * bytes, 0, (x - first) * bytes);
  }
}

}  // namespace

void grid_mask(View out, ConstView in, int row_axis, const Grid& grid, Scratch& scratch) {
  const Shape& shape = out.shape;
  const int64_t planes = shape.volume(0, row_axis), height = shape[row_axis], width = shape[row_axis + 1];
  const int64_t pixel = shape.volume(row_axis + 2, shape.ndim) * item_bytes(out.dtype), row = width * pixel;
  const auto tile = static_cast<float>(grid.tile);
  const float cosine = static_cast<float>(std::cos(static_cast<double>(grid.angle))) / tile;
  const float sine = static_cast<float>(std::sin(static_cast<double>(grid.angle))) / tile;
  auto* kept = scratch.array<uint8_t>(kStepTemp, width);
  const bool upright = sine == 0;  // then rows are kept as a whole, or all alike
  bool marked = false;
  for (int64_t y = 0; y < height; ++y) {
    const auto down = static_cast<float>(y);
    const Line line{down * sine + grid.shift_x / tile, down * cosine - grid.shift_y / tile, cosine, sine};
    const bool all = upright && is_beyond(line.y, grid.ratio);
    if (!all && !(upright && marked)) newest<mark_kept>(kept, static_cast<int32_t>(width), line, grid.ratio);
    marked |= !all;
    for (int64_t plane = 0; plane < planes; ++plane) {
      const int64_t at = (plane * height + y) * row;
      all ? static_cast<void>(std::memcpy(out.data + at, in.data + at, row))
          : mask_row(out.data + at, in.data + at, kept, width, pixel);
    }
  }
}

}  // namespace penstock
