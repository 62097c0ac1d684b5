#include "kernels/image/crop_mirror_normalize.h"

#include <cstring>

#include "kernels/bytes/channels.h"
#include "kernels/bytes/reverse.h"
#include "kernels/bytes/stream.h"
#include "kernels/image/normalize_rgb.h"

namespace penstock {
namespace {

// Pixels taken at a time, so that their planes stay in the first-level cache.
constexpr int64_t kBlock = 1024;
// Rows of fewer pixels are gathered first: copying one takes less time than what is left of it when the vectors of
// splitting and reversing are full.
constexpr int64_t kGatheredBelow = 96;

template <int kItem>
void copy_items(std::byte* out, int64_t out_step, const std::byte* in, int64_t in_step, int64_t n) {
  for (int64_t i = 0; i < n; ++i) std::memcpy(out + i * out_step, in + i * in_step, kItem);
}

/// Copies n elements; a step of 0 repeats the first one.
void copy_strided(std::byte* out, int64_t out_step, const std::byte* in, int64_t in_step, int64_t n, int64_t item) {
  switch (item) {
    case 1:
      return copy_items<1>(out, out_step, in, in_step, n);
    case 2:
      return copy_items<2>(out, out_step, in, in_step, n);
    default:
      return copy_items<4>(out, out_step, in, in_step, n);
  }
}

class Pass {
 public:
  Pass(const View& out, const ConstView& in, const MirrorNormalize& what, Scratch& scratch)
      : what_(what),
        width_(what.maps[what.width_axis]),
        in_item_(item_bytes(in.dtype)),
        out_item_(item_bytes(out.dtype)),
        channels_(in.shape[what.channel_axis]),
        bytes_to_floats_(in.dtype == DType::u8 && out.dtype == DType::f32),
        interleaved_(what.channel_axis > what.width_axis),
        pixel_(interleaved_ ? channels_ * in_item_ : in_item_),
        streams_(scratch.past_caches) {
    int64_t step = out_item_;
    for (int k = out.shape.ndim - 1; k >= 0; --k) {
      out_step_[what.order[k]] = step;
      if (what.order[k] == what.channel_axis) out_channels_ = out.shape[k];
      step *= out.shape[k];
    }
    for (int axis = 0; axis < in.shape.ndim; ++axis)
      in_step_[axis] = in.shape.volume(axis + 1, in.shape.ndim) * in_item_;
    along_ = out_step_[what.width_axis];
    across_ = out_step_[what.channel_axis];
    keeps_pixels_ =
        interleaved_ && across_ == out_item_ && channels_ == out_channels_ && along_ == channels_ * out_item_;
    rows_at_once_ = count_rows();
    prepare(scratch);
  }

  void walk(std::byte* out, const std::byte* in, int axis, int64_t channel) const {
    if (axis == what_.width_axis) {
      interleaved_ ? pixels(out, in) : plane_row(out, in, channel);
    } else if (axis == what_.channel_axis) {
      for (int64_t c = 0; c < out_channels_; ++c)
        walk(out + c * across_, in && c < channels_ ? in + c * in_step_[axis] : nullptr, axis + 1, c);
    } else if (axis + 1 == what_.width_axis && rows_at_once_ > 1 && in) {
      rows(out, in);
    } else {
      for (int64_t k = 0; k < what_.maps[axis].extent; ++k) {
        const int64_t at = what_.maps[axis].source(k);
        walk(out + k * out_step_[axis], in && at >= 0 ? in + at * in_step_[axis] : nullptr, axis + 1, channel);
      }
    }
  }

 private:
  /// How many rows of pixels become one row in each plane of the output.
  int64_t count_rows() const {
    const bool fills = width_.inside != width_.extent;
    if (!interleaved_ || what_.width_axis == 0 || along_ != out_item_ || fills || width_.extent == 0) return 1;
    if (out_step_[what_.width_axis - 1] != width_.extent * along_) return 1;
    return std::max<int64_t>(1, kBlock / width_.extent);
  }

  void prepare(Scratch& scratch) {
    const int64_t factors = keeps_pixels_ ? kBlock * channels_ * static_cast<int64_t>(sizeof(float)) : 0;
    const int64_t pixels = kBlock * pixel_, made = kBlock * out_item_ * (keeps_pixels_ ? channels_ : 1);
    auto* memory = scratch.bytes(kStepTemp, 2 * factors + 3 * pixels + made);
    means_ = reinterpret_cast<float*>(memory);
    inverses_ = reinterpret_cast<float*>(memory + factors);
    taken_ = memory + 2 * factors;
    planes_ = taken_ + pixels;
    gathered_ = planes_ + pixels;
    made_ = gathered_ + pixels;
    if (!keeps_pixels_) return;
    for (int64_t i = 0; i < std::min(kBlock, width_.inside); ++i)
      for (int64_t c = 0; c < channels_; ++c) {
        means_[i * channels_ + c] = what_.mean[c];
        inverses_[i * channels_ + c] = what_.inverse[c];
      }
  }

  /// `n` pixels in the order of the window, from the one at `done` on.
  const std::byte* take(const std::byte* in, int64_t done, int64_t n) const {
    if (width_.is_run()) return in + (width_.first + done) * pixel_;
    if (width_.table)
      for (int64_t i = 0; i < n; ++i) std::memcpy(taken_ + i * pixel_, in + width_.table[done + i] * pixel_, pixel_);
    else
      reverse(taken_, in + (width_.first - done - n + 1) * pixel_, n, pixel_);
    return taken_;
  }

  /// The windows of `count` rows one behind the other. Mirrored rows are put in the opposite order first, so that they
  /// are all reversed at once.
  template <typename Row>
  const std::byte* gather(const Row& row, int64_t count, int64_t n) const {
    const int64_t bytes = n * pixel_;
    if (width_.is_run()) {
      for (int64_t i = 0; i < count; ++i) std::memcpy(taken_ + i * bytes, row(i) + width_.first * pixel_, bytes);
      return taken_;
    }
    for (int64_t i = 0; i < count; ++i)
      std::memcpy(gathered_ + (count - 1 - i) * bytes, row(i) + (width_.first - n + 1) * pixel_, bytes);
    reverse(taken_, gathered_, count * n, pixel_);
    return taken_;
  }

  /// Whether rows of the window are what `normalize_rgb` takes.
  bool takes_rgb(const AxisMap& rows) const {
    const int64_t narrowest = narrowest_rgb_row();
    return bytes_to_floats_ && channels_ == 3 && !streams_ && !width_.table && !rows.table && narrowest > 0 &&
           width_.extent >= narrowest;
  }

  /// Several rows of pixels into planes, and each plane normalised at once.
  void rows(std::byte* out, const std::byte* in) const {
    const int axis = what_.width_axis - 1;
    const AxisMap& map = what_.maps[axis];
    const int64_t n = width_.extent, plane = rows_at_once_ * n * in_item_;
    const bool gathers = n < kGatheredBelow && !width_.table;
    const bool whole = takes_rgb(map);
    for (int64_t k = 0; k < map.extent;) {
      int64_t count = 0;
      while (count < rows_at_once_ && k + count < map.extent && map.source(k + count) >= 0) ++count;
      const auto row = [&](int64_t i) { return in + map.source(k + i) * in_step_[axis]; };
      if (whole && count) {
        const std::byte* first = row(0) + (width_.step < 0 ? width_.first - n + 1 : width_.first) * pixel_;
        normalize_rgb(reinterpret_cast<float*>(out + k * out_step_[axis]), across_ / out_item_,
                      {first, map.step * in_step_[axis], count, n, width_.step < 0}, what_.mean, what_.inverse);
      } else if (gathers && count)
        split_channels(planes_, plane, gather(row, count, n), count * n, channels_, in_item_);
      else
        for (int64_t i = 0; i < count; ++i)
          split_channels(planes_ + i * n * in_item_, plane, take(row(i), 0, n), n, channels_, in_item_);
      std::byte* to = out + k * out_step_[axis];
      for (int64_t c = 0; c < out_channels_; ++c, to += across_)
        if (!count || c >= channels_)
          fill(to, std::max<int64_t>(count, 1) * n, c);
        else if (!whole)
          normalize(to, planes_ + c * plane, count * n, c);
      k += std::max<int64_t>(count, 1);
    }
  }

  /// A row of interleaved pixels.
  void pixels(std::byte* out, const std::byte* in) const {
    const int64_t inside = in ? width_.inside : 0, before = in ? width_.before : 0;
    for (int64_t done = 0; done < inside; done += kBlock) {
      const int64_t n = std::min(kBlock, inside - done);
      const std::byte* row = take(in, done, n);
      std::byte* to = out + (before + done) * along_;
      if (keeps_pixels_) {
        const int64_t elements = n * channels_;
        what_.rows.interleaved(streams_ ? made_ : to, row, elements, means_, inverses_);
        if (streams_) stream(to, made_, elements * out_item_);
        continue;
      }
      split_channels(planes_, n * in_item_, row, n, channels_, in_item_);
      for (int64_t c = 0; c < channels_; ++c) normalize(to + c * across_, planes_ + c * n * in_item_, n, c);
    }
    for (int64_t c = 0; c < out_channels_; ++c, out += across_) {
      const int64_t first = c < channels_ ? before : width_.extent, end = c < channels_ ? before + inside : first;
      fill(out, first, c);
      fill(out + end * along_, width_.extent - end, c);
    }
  }

  /// A row of one channel.
  void plane_row(std::byte* out, const std::byte* in, int64_t channel) const {
    if (!in) return fill(out, width_.extent, channel);
    fill(out, width_.before, channel);
    out += width_.before * along_;
    for (int64_t done = 0; done < width_.inside; done += kBlock) {
      const int64_t n = std::min(kBlock, width_.inside - done);
      normalize(out + done * along_, take(in, done, n), n, channel);
    }
    fill(out + width_.inside * along_, width_.extent - width_.before - width_.inside, channel);
  }

  void normalize(std::byte* out, const std::byte* plane, int64_t n, int64_t c) const {
    const bool is_row = along_ == out_item_;
    what_.rows.plane(is_row && !streams_ ? out : made_, plane, n, what_.mean + c, what_.inverse + c);
    if (!is_row) return copy_strided(out, along_, made_, out_item_, n, out_item_);
    if (streams_) stream(out, made_, n * out_item_);
  }

  void fill(std::byte* out, int64_t n, int64_t channel) const {
    copy_strided(out, along_, what_.fill + channel * out_item_, 0, n, out_item_);
  }

  const MirrorNormalize& what_;
  const AxisMap& width_;
  int64_t in_item_, out_item_;
  int64_t channels_, out_channels_ = 0;
  bool bytes_to_floats_;
  bool interleaved_;           // in the input
  bool keeps_pixels_ = false;  // interleaved in the output too
  int64_t pixel_;              // bytes that are taken together in the input
  bool streams_;
  int64_t along_ = 0, across_ = 0, rows_at_once_ = 1;
  std::array<int64_t, kMaxDims> in_step_{}, out_step_{};  // bytes, by axis of the input
  float *means_ = nullptr, *inverses_ = nullptr;
  std::byte *taken_ = nullptr, *planes_ = nullptr, *gathered_ = nullptr, *made_ = nullptr;
};

}  // namespace

void crop_mirror_normalize(View out, ConstView in, const MirrorNormalize& what, Scratch& scratch) {
  if (out.shape.volume() == 0) return;
  Pass(out, in, what, scratch).walk(out.data, in.data, 0, 0);
  if (scratch.past_caches) finish_streams();
}

}  // namespace penstock
