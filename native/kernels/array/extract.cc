#include "kernels/array/extract.h"

#include "kernels/bytes/stream.h"

namespace penstock {
namespace {

class Extraction {
 public:
  Extraction(const View& out, const ConstView& in, const AxisMaps& maps, const FillValues& fill, ConvertRow convert,
             bool past_caches)
      : maps_(maps),
        channel_axis_(fill.channel_axis),
        fill_(out.shape, out.dtype, fill, past_caches),
        convert_(convert),
        out_item_(item_bytes(out.dtype)) {
    int64_t out_volume = 1, in_volume = 1;
    for (int axis = out.shape.ndim - 1; axis >= 0; --axis) {
      out_inner_[axis] = out_volume;
      in_inner_[axis] = in_volume * item_bytes(in.dtype);
      out_volume *= out.shape[axis];
      in_volume *= in.shape[axis];
      const AxisMap& map = maps[axis];
      const bool whole = map.is_run() && map.first == 0 && map.inside == map.extent && map.extent == in.shape[axis];
      if (last_ == 0 && !whole) last_ = axis;
    }
  }

  /// How many bytes lie together at least, but where positions are looked up.
  int64_t row_bytes() const { return maps_[last_].inside * out_inner_[last_] * out_item_; }

  void convert_by(ConvertRow convert) { convert_ = convert; }

  void copy(std::byte* out, const std::byte* in, int axis, int64_t channel) const {
    const AxisMap& map = maps_[axis];
    const int64_t step = out_inner_[axis] * out_item_;
    if (axis < last_) {
      for (int64_t k = 0; k < map.extent; ++k, out += step) {
        const int64_t at = map.source(k);
        if (axis == channel_axis_) channel = k;
        at < 0 ? fill_(out, axis, k, 1, channel) : copy(out, in + at * in_inner_[axis], axis + 1, channel);
      }
      return;
    }
    fill_(out, axis, 0, map.before, channel);
    out += map.before * step;
    if (map.table) {
      for (int64_t k = 0; k < map.inside; ++k)
        convert_(out + k * step, in + map.table[k] * in_inner_[axis], out_inner_[axis]);
    } else {
      convert_(out, in + map.first * in_inner_[axis], map.inside * out_inner_[axis]);
    }
    const int64_t next = map.before + map.inside;
    fill_(out + map.inside * step, axis, next, map.extent - next, channel);
  }

 private:
  const AxisMaps& maps_;
  const int channel_axis_;
  const Filler fill_;
  ConvertRow convert_;
  int64_t out_item_;
  std::array<int64_t, kMaxDims> out_inner_{};  // elements inside one position of each axis
  std::array<int64_t, kMaxDims> in_inner_{};   // and bytes
  int last_ = 0;  // the innermost axis that is not taken whole; what lies inside it moves as one piece
};

}  // namespace

void extract(View out, ConstView in, const AxisMaps& maps, const FillValues& fill, ConvertRow convert,
             bool past_caches) {
  if (out.shape.volume() == 0) return;
  if (out.shape.ndim == 0) return convert(out.data, in.data, 1);
  Extraction extraction(out, in, maps, fill, convert, past_caches);
  if (past_caches && out.dtype == in.dtype && extraction.row_bytes() >= kShortestStreamedRow)
    extraction.convert_by(streaming_copy(out.dtype));
  extraction.copy(out.data, in.data, 0, 0);
  if (past_caches) finish_streams();
}

}  // namespace penstock
