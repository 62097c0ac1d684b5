#include "kernels/array/flip.h"

#include <algorithm>

#include "kernels/bytes/reverse.h"
#include "kernels/bytes/stream.h"

namespace penstock {
namespace {

void reverse_past_caches(std::byte* out, const std::byte* in, int64_t n, int64_t bytes) {
  alignas(64) std::byte turned[4096];
  const int64_t at_once = static_cast<int64_t>(sizeof(turned)) / bytes;
  for (int64_t i = 0; i < n; i += at_once) {
    const int64_t count = std::min(at_once, n - i);
    reverse(turned, in + (n - i - count) * bytes, count, bytes);
    stream(out + i * bytes, turned, count * bytes);
  }
}

// What lies inside the last mirrored axis moves as one piece, never looked into, so one body serves every dtype.
void flip_axis(std::byte* out, const std::byte* in, const Shape& shape, int axis, unsigned mask, int64_t item,
               bool past_caches) {
  const CopyBytes copy = copying(past_caches);
  if (mask >> axis == 0) return copy(out, in, shape.volume(axis, shape.ndim) * item);
  const int64_t inner = shape.volume(axis + 1, shape.ndim) * item;
  const int64_t n = shape[axis];
  const bool mirrored = mask >> axis & 1;
  if ((mask >> axis) == 1 && inner < kShortestStreamedRow) {
    (past_caches && n * inner >= kShortestStreamedRow ? reverse_past_caches : reverse)(out, in, n, inner);
  } else if ((mask >> axis) == 1) {
    for (int64_t i = 0; i < n; ++i) copy(out + i * inner, in + (n - 1 - i) * inner, inner);
  } else {
    for (int64_t i = 0; i < n; ++i)
      flip_axis(out + i * inner, in + (mirrored ? n - 1 - i : i) * inner, shape, axis + 1, mask, item, past_caches);
  }
}

}  // namespace

void flip(View out, ConstView in, unsigned mask, bool past_caches) {
  if (in.shape.volume() == 0) return;
  flip_axis(out.data, in.data, in.shape, 0, mask, item_bytes(in.dtype), past_caches);
  if (past_caches) finish_streams();
}

}  // namespace penstock
