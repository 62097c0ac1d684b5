#include "kernels/image/erase.h"

#include <algorithm>
#include <cstring>

namespace penstock {
namespace {

// What is copied at once stays in the first cache until the regions in it are filled.
constexpr int64_t kSlabBytes = 16 << 10;

class Eraser {
 public:
  Eraser(const View& out, const FillValues& fill)
      : shape_(out.shape),
        item_(item_bytes(out.dtype)),
        channel_axis_(fill.channel_axis),
        fill_(out.shape, out.dtype, fill, false) {}

  void clear(std::byte* out, const Region& region) const {
    int last = 0;  // the innermost axis of which not all is erased
    for (int axis = 0; axis < shape_.ndim; ++axis) {
      if (region.begin[axis] >= region.end[axis]) return;
      if (region.end[axis] - region.begin[axis] != shape_[axis]) last = axis;
    }
    walk(out, region, 0, last, 0);
  }

 private:
  void walk(std::byte* out, const Region& region, int axis, int last, int64_t channel) const {
    const int64_t step = shape_.volume(axis + 1, shape_.ndim) * item_;
    const int64_t begin = region.begin[axis], end = region.end[axis];
    if (axis == last) return fill_(out + begin * step, axis, begin, end - begin, channel);
    for (int64_t k = begin; k < end; ++k)
      walk(out + k * step, region, axis + 1, last, axis == channel_axis_ ? k : channel);
  }

  const Shape& shape_;
  int64_t item_;
  int channel_axis_;
  Filler fill_;
};

}  // namespace

void erase(View out, ConstView in, std::span<const Region> regions, const FillValues& fill) {
  const int64_t row = out.shape.volume(1, out.shape.ndim) * item_bytes(out.dtype);
  if (row == 0) return;
  const Eraser eraser(out, fill);
  const int64_t at_once = std::max<int64_t>(1, kSlabBytes / row);
  for (int64_t first = 0; first < out.shape[0]; first += at_once) {
    const int64_t end = std::min(first + at_once, out.shape[0]);
    std::memcpy(out.data + first * row, in.data + first * row, (end - first) * row);
    for (Region region : regions) {
      region.begin[0] = std::max(region.begin[0], first);
      region.end[0] = std::min(region.end[0], end);
      eraser.clear(out.data, region);
    }
  }
}

}  // namespace penstock
