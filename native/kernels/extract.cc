#include "kernels/extract.h"

#include <cstring>

namespace penstock {
namespace {

class Extraction {
 public:
  Extraction(const View& out, const ConstView& in, const AxisMaps& maps, const FillValues& fill, ConvertRow convert)
      : maps_(maps), fill_(fill), convert_(convert), out_shape_(out.shape), out_item_(item_bytes(out.dtype)) {
    int64_t out_volume = 1, in_volume = 1;
    for (int axis = out.shape.ndim - 1; axis >= 0; --axis) {
      out_inner_[axis] = out_volume;
      in_inner_[axis] = in_volume * item_bytes(in.dtype);
      out_volume *= out.shape[axis];
      in_volume *= in.shape[axis];
      const AxisMap& map = maps[axis];
      const bool whole = map.is_run() && map.first == 0 && map.inside == map.extent && map.extent == in.shape[axis];
      if (last_ < 0 && !whole) last_ = axis;
    }
  }

  /// The innermost axis that is not taken whole; what lies inside it moves as one piece.
  int last() const { return last_; }

  void copy(std::byte* out, const std::byte* in, int axis, int64_t channel) const {
    const AxisMap& map = maps_[axis];
    const int64_t step = out_inner_[axis] * out_item_;
    if (axis < last_) {
      for (int64_t k = 0; k < map.extent; ++k, out += step) {
        const int64_t at = map.source(k);
        if (axis == fill_.channel_axis) channel = k;
        at < 0 ? fill(out, axis, k, 1, channel) : copy(out, in + at * in_inner_[axis], axis + 1, channel);
      }
      return;
    }
    fill(out, axis, 0, map.before, channel);
    out += map.before * step;
    if (map.table) {
      for (int64_t k = 0; k < map.inside; ++k)
        convert_(out + k * step, in + map.table[k] * in_inner_[axis], out_inner_[axis]);
    } else {
      convert_(out, in + map.first * in_inner_[axis], map.inside * out_inner_[axis]);
    }
    const int64_t next = map.before + map.inside;
    fill(out + map.inside * step, axis, next, map.extent - next, channel);
  }

 private:
  /// Fills `n` positions along `axis` from position `k` on.
  void fill(std::byte* out, int axis, int64_t k, int64_t n, int64_t channel) const {
    const int64_t items = n * out_inner_[axis];
    if (items == 0) return;
    if (fill_.count == 1 || fill_.channel_axis < axis) {
      repeat(out, items, fill_.count == 1 ? 0 : channel);
    } else if (fill_.channel_axis == axis) {
      for (int64_t i = 0; i < n; ++i) repeat(out + i * out_inner_[axis] * out_item_, out_inner_[axis], k + i);
    } else {
      const int64_t inner = out_inner_[fill_.channel_axis];
      for (int64_t c = 0; c < fill_.count; ++c) repeat(out + c * inner * out_item_, inner, c);
      spread(out, inner * fill_.count * out_item_, items * out_item_);
    }
  }

  void repeat(std::byte* out, int64_t items, int64_t channel) const {
    if (items == 0) return;
    std::memcpy(out, fill_.elements + channel * out_item_, out_item_);
    spread(out, out_item_, items * out_item_);
  }

  /// Repeats the first `done` bytes up to `total`.
  static void spread(std::byte* out, int64_t done, int64_t total) {
    for (; done < total; done *= 2) std::memcpy(out + done, out, std::min(done, total - done));
  }

  const AxisMaps& maps_;
  const FillValues& fill_;
  ConvertRow convert_;
  const Shape& out_shape_;
  int64_t out_item_;
  std::array<int64_t, kMaxDims> out_inner_{};  // elements inside one position of each axis
  std::array<int64_t, kMaxDims> in_inner_{};   // and bytes
  int last_ = -1;
};

}  // namespace

void extract(View out, ConstView in, const AxisMaps& maps, const FillValues& fill, ConvertRow convert) {
  const int64_t volume = out.shape.volume();
  if (volume == 0) return;
  const Extraction extraction(out, in, maps, fill, convert);
  if (extraction.last() < 0)
    convert(out.data, in.data, volume);
  else
    extraction.copy(out.data, in.data, 0, 0);
}

}  // namespace penstock
