#include "kernels/flip.h"

#include <cstring>

#include "kernels/reverse.h"
#include "kernels/stream.h"

namespace penstock {
namespace {

using Copy = void (*)(std::byte* out, const std::byte* in, int64_t bytes);

void keep(std::byte* out, const std::byte* in, int64_t bytes) { std::memcpy(out, in, bytes); }

// What lies inside the last mirrored axis moves as one piece, never looked into, so one body serves every dtype.
void flip_axis(std::byte* out, const std::byte* in, const Shape& shape, int axis, unsigned mask, int64_t item,
               Copy copy) {
  if (mask >> axis == 0) return copy(out, in, shape.volume(axis, shape.ndim) * item);
  const int64_t inner = shape.volume(axis + 1, shape.ndim) * item;
  const int64_t n = shape[axis];
  const bool mirrored = mask >> axis & 1;
  if ((mask >> axis) == 1 && inner < kShortestStreamedRow) {
    reverse(out, in, n, inner);
  } else if ((mask >> axis) == 1) {
    for (int64_t i = 0; i < n; ++i) copy(out + i * inner, in + (n - 1 - i) * inner, inner);
  } else {
    for (int64_t i = 0; i < n; ++i)
      flip_axis(out + i * inner, in + (mirrored ? n - 1 - i : i) * inner, shape, axis + 1, mask, item, copy);
  }
}

}  // namespace

void flip(View out, ConstView in, unsigned mask, bool past_caches) {
  if (in.shape.volume() == 0) return;
  flip_axis(out.data, in.data, in.shape, 0, mask, item_bytes(in.dtype), past_caches ? stream : keep);
  if (past_caches) finish_streams();
}

}  // namespace penstock
