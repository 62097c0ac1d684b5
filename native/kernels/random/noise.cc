#include "kernels/random/noise.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "cpu/newest.h"
#include "kernels/elements/convert.h"
#include "kernels/random/draws.h"

namespace penstock {
namespace {

template <typename Real>
void add_normal_as(View out, ConstView in, const Philox& sequence, Real mean, Real stddev) {
  constexpr DType kReal = sizeof(Real) == 4 ? DType::f32 : DType::f64;
  const ConvertRow widen = rounding_conversion(kReal, in.dtype), narrow = rounding_conversion(out.dtype, kReal);
  const int64_t item = item_bytes(in.dtype);
  PhiloxTiles tiles(sequence);
  uint32_t tile[4 * kDrawTile];
  Real noise[kDrawTile], value[kDrawTile];
  for_tiles(in.shape.volume(), [&](int64_t first, int n) {
    tiles.read(tile, first, n, 2 * kWordsOf<Real>);
    normal_tile(noise, tile, n, mean, stddev);
    widen(reinterpret_cast<std::byte*>(value), in.data + first * item, n);
    for (int i = 0; i < n; ++i) value[i] += noise[i];
    narrow(out.data + first * item, reinterpret_cast<const std::byte*>(value), n);
  });
}

/// The elements of which each pixel consists, `apart` elements from one another.
struct Pixels {
  int64_t count = 0, channels = 1, apart = 1;
  int64_t stride = 1;  // from pixel to pixel

  Pixels(const Shape& shape, int channel_axis) : count(shape.volume()) {
    if (channel_axis < 0 || count == 0) return;
    channels = shape[channel_axis];
    count /= channels;
    const bool last = channel_axis == shape.ndim - 1;
    apart = last ? 1 : count;
    stride = last ? channels : 1;
  }
};

PENSTOCK_INLINE inline void units(float* out, const uint32_t* tile, int n) {
  constexpr float kLast = 1 - std::numeric_limits<float>::epsilon() / 2, kScale = kLast * kWordsToUnit<float>;
  for (int i = 0; i < n; ++i) out[i] = std::min(static_cast<float>(tile[i]) * kScale, kLast);
}

template <typename T>
void replace(View out, const Philox& sequence, const Pixels& pixels, const SaltAndPepper& noise) {
  T salt, pepper;
  std::memcpy(&salt, noise.salt, sizeof(T));
  std::memcpy(&pepper, noise.pepper, sizeof(T));
  const float salt_below = noise.probability * noise.salt_share;
  PhiloxTiles tiles(sequence);
  uint32_t tile[kDrawTile];
  float unit[kDrawTile];
  int hit[kDrawTile + 1];
  for_tiles(pixels.count, [&](int64_t first, int n) {
    tiles.read(tile, first, n, 1);
    newest<units>(unit, tile, n);
    int hits = 0;
    for (int i = 0; i < n; ++i) {  // without a branch, which would be guessed wrong at every hit
      hit[hits] = i;
      hits += unit[i] < noise.probability;
    }
    for (int k = 0; k < hits; ++k) {
      T* pixel = out.as<T>() + (first + hit[k]) * pixels.stride;
      const T value = unit[hit[k]] < salt_below ? salt : pepper;
      for (int64_t c = 0; c < pixels.channels; ++c) pixel[c * pixels.apart] = value;
    }
  });
}

}  // namespace

void add_normal_noise(View out, ConstView in, const Philox& sequence, float mean, float stddev) {
  if (is_drawn_wide(in.dtype))
    add_normal_as<double>(out, in, sequence, mean, stddev);
  else
    add_normal_as<float>(out, in, sequence, mean, stddev);
}

void add_salt_and_pepper(View out, ConstView in, const Philox& sequence, const SaltAndPepper& noise) {
  std::memcpy(out.data, in.data, in.bytes());
  const Pixels pixels(in.shape, noise.channel_axis);
  switch (item_bytes(in.dtype)) {
    case 1:
      return replace<uint8_t>(out, sequence, pixels, noise);
    case 2:
      return replace<uint16_t>(out, sequence, pixels, noise);
    case 4:
      return replace<uint32_t>(out, sequence, pixels, noise);
    default:
      return replace<uint64_t>(out, sequence, pixels, noise);
  }
}

}  // namespace penstock
