#include "kernels/array/fill.h"

#include <algorithm>
#include <cstring>

namespace penstock {
namespace {

/// Repeats the first `done` bytes up to `total`.
void spread(std::byte* out, int64_t done, int64_t total) {
  for (; done < total; done *= 2) std::memcpy(out + done, out, std::min(done, total - done));
}

}  // namespace

Filler::Filler(const Shape& shape, DType dtype, const FillValues& values, bool past_caches)
    : values_(values), copy_(copying(past_caches)), item_(item_bytes(dtype)) {
  for (int axis = 0; axis < shape.ndim; ++axis) inner_[axis] = shape.volume(axis + 1, shape.ndim);
  const int64_t inner = values_.channel_axis < 0 || values_.count == 1 ? 1 : inner_[values_.channel_axis];
  const int64_t period = inner * values_.count * item_, most = std::min<int64_t>(shape.volume() * item_, kStretch);
  if (period == 0 || period > most) return;
  for (int64_t c = 0; c < values_.count; ++c) repeat(stretch_.data() + c * inner * item_, inner, c);
  length_ = most / period * period;
  spread(stretch_.data(), period, length_);
}

void Filler::operator()(std::byte* out, int axis, int64_t k, int64_t n, int64_t channel) const {
  const int64_t items = n * inner_[axis];
  if (items == 0) return;
  if (length_ > 0 && (values_.count == 1 || values_.channel_axis > axis)) {
    for (int64_t done = 0; done < items * item_; done += length_)
      copy_(out + done, stretch_.data(), std::min(length_, items * item_ - done));
  } else if (values_.channel_axis < axis) {
    repeat(out, items, channel);
  } else if (values_.channel_axis == axis) {
    for (int64_t i = 0; i < n; ++i) repeat(out + i * inner_[axis] * item_, inner_[axis], k + i);
  } else {
    const int64_t inner = inner_[values_.channel_axis];
    for (int64_t c = 0; c < values_.count; ++c) repeat(out + c * inner * item_, inner, c);
    spread(out, inner * values_.count * item_, items * item_);
  }
}

void Filler::repeat(std::byte* out, int64_t items, int64_t channel) const {
  if (items == 0) return;
  std::memcpy(out, values_.elements + channel * item_, item_);
  spread(out, item_, items * item_);
}

}  // namespace penstock
