#include "codecs/jpeg/orientation.h"

#include <algorithm>
#include <cstring>

namespace penstock {
namespace {

// Tiles keep both the rows read and the rows written in the nearest cache, whichever way the pixels turn.
constexpr int64_t kTile = 32;

template <int kChannels>
void turn(uint8_t* out, const uint8_t* in, int64_t height, int64_t width, Orientation to) {
  const int64_t out_width = to.transposed ? height : width;
  const auto place = [&](int64_t y, int64_t x) {
    if (to.rows_reversed) y = height - 1 - y;
    if (to.columns_reversed) x = width - 1 - x;
    return out + (to.transposed ? x * out_width + y : y * out_width + x) * kChannels;
  };
  const int64_t step = width > 1 ? place(0, 1) - place(0, 0) : 0;
  for (int64_t top = 0; top < height; top += kTile)
    for (int64_t left = 0; left < width; left += kTile)
      for (int64_t y = top; y < std::min(top + kTile, height); ++y) {
        const uint8_t* from = in + (y * width + left) * kChannels;
        uint8_t* dst = place(y, left);
        for (int64_t x = left; x < std::min(left + kTile, width); ++x, from += kChannels, dst += step)
          std::memcpy(dst, from, kChannels);
      }
}

}  // namespace

Rect stored_window(const Rect& window, Orientation orientation, int64_t height, int64_t width) {
  Rect stored = window;
  if (orientation.transposed) stored = {window.x, window.y, window.width, window.height};
  if (orientation.rows_reversed) stored.y = height - stored.y - stored.height;
  if (orientation.columns_reversed) stored.x = width - stored.x - stored.width;
  return stored;
}

void turn_upright(uint8_t* out, const uint8_t* in, int64_t height, int64_t width, int channels,
                  Orientation orientation) {
  if (channels == 1) return turn<1>(out, in, height, width, orientation);
  if (channels == 3) return turn<3>(out, in, height, width, orientation);
  turn<4>(out, in, height, width, orientation);
}

}  // namespace penstock
