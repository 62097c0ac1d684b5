#include "kernels/flip.h"

#include <cstring>

#include "kernels/reverse.h"

namespace penstock {
namespace {

// What lies inside the last mirrored axis moves as one piece, never looked into, so one body serves every dtype.
void flip_axis(std::byte* out, const std::byte* in, const Shape& shape, int axis, unsigned mask, int64_t item) {
  const int64_t inner = shape.volume(axis + 1, shape.ndim) * item;
  const int64_t n = shape[axis];
  const bool mirrored = mask >> axis & 1;
  if ((mask >> axis) == 0) {
    std::memcpy(out, in, n * inner);
  } else if ((mask >> axis) == 1) {
    reverse(out, in, n, inner);
  } else {
    for (int64_t i = 0; i < n; ++i)
      flip_axis(out + i * inner, in + (mirrored ? n - 1 - i : i) * inner, shape, axis + 1, mask, item);
  }
}

}  // namespace

void flip(View out, ConstView in, unsigned mask) {
  if (in.shape.volume() == 0) return;
  if (in.shape.ndim == 0 || mask == 0) {
    std::memcpy(out.data, in.data, in.bytes());
    return;
  }
  flip_axis(out.data, in.data, in.shape, 0, mask, item_bytes(in.dtype));
}

}  // namespace penstock
