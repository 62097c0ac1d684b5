#include "kernels/color/color_step.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "kernels/bytes/stream.h"
#include "kernels/color/color_matrix.h"
#include "kernels/color/color_space.h"
#include "kernels/color/equalize.h"
#include "kernels/color/linear_map.h"
#include "kernels/color/lookup.h"

namespace penstock {
namespace {

void require_channels(const Shape& shape, int64_t channels) {
  const int64_t given = shape.ndim ? shape[shape.ndim - 1] : 0;
  if (given != channels)
    throw std::runtime_error("expected " + std::to_string(channels) + " channels, got " + std::to_string(given));
}

/// Calls `body(out, in)`, which changes colours and leaves pixels where they are, for all of them at once, or piece by
/// piece where the result is better written past the caches. Bytes are not unless they only `move`, and neither is what
/// has more bytes than it is made of: it takes up to 1.3 times as long to compute and then to write them as both at
/// once.
template <typename Body>
void by_pixels(View out, ConstView in, Scratch& scratch, Body&& body, bool move = false) {
  if (!scratch.past_caches || (item_bytes(out.dtype) == 1 && !move) || out.bytes() > in.bytes() || in.shape.ndim == 0)
    return body(out, in);
  constexpr int64_t kPixels = 512;
  const int last = in.shape.ndim - 1;
  const int64_t pixels = in.shape.volume(0, last);
  const int64_t from = in.shape[last] * item_bytes(in.dtype), to = out.shape[last] * item_bytes(out.dtype);
  std::byte* made = scratch.bytes(kStepTemp, kPixels * to);
  for (int64_t i = 0; i < pixels; i += kPixels) {
    const int64_t count = std::min(kPixels, pixels - i);
    body(View{made, out.dtype, {2, {count, out.shape[last]}}},
         ConstView{in.data + i * from, in.dtype, {2, {count, in.shape[last]}}});
    stream(out.data + i * to, made, count * to);
  }
  finish_streams();
}

}  // namespace

void Linear::run(size_t sample, View out, ConstView in, Scratch& scratch) const {
  const float factor = factor_[sample], addend = addend_[sample];
  by_pixels(out, in, scratch, [=](View to, ConstView from) { linear(to, from, factor, addend); });
}

Spec ColorMatrix::infer(size_t, const Spec& in, ConstView) const {
  require_channels(in.shape, 3);
  return {dtype_, in.shape};
}

void ColorMatrix::run(size_t sample, View out, ConstView in, Scratch& scratch) const {
  ColorMap map;
  std::memcpy(map, maps_[sample], sizeof(map));
  map_colors(out, in, map, scratch.past_caches && item_bytes(out.dtype) == 1);
}

Spec ColorSpace::infer(size_t, const Spec& in, ConstView) const {
  require_channels(in.shape, from_ == ColorType::gray ? 1 : 3);
  Spec made = in;
  made.shape[in.shape.ndim - 1] = to_ == ColorType::gray ? 1 : 3;
  return made;
}

void ColorSpace::run(size_t, View out, ConstView in, Scratch& scratch) const {
  const bool move = from_ != ColorType::gray && to_ != ColorType::gray;
  by_pixels(
      out, in, scratch, [this](View to, ConstView from) { convert(to, from); }, move);
}

void ColorSpace::convert(View out, ConstView in) const {
  uint8_t* to = out.as<uint8_t>();
  const uint8_t* from = in.as<uint8_t>();
  const int64_t pixels = in.shape.volume(0, in.shape.ndim - 1);
  if (from_ == ColorType::gray)
    to_ == ColorType::ycbcr ? gray_to_ycbcr(to, from, pixels) : gray_to_color(to, from, pixels);
  else if (to_ != ColorType::gray)
    swap_red_and_blue(to, from, pixels);
  else if (from_ == ColorType::ycbcr)
    ycbcr_to_gray(to, from, pixels);
  else
    color_to_gray(to, from, pixels, from_ == ColorType::bgr);
}

void LookupTable::run(size_t, View out, ConstView in, Scratch& scratch) const {
  const int64_t item = item_bytes(dtype_), entries = static_cast<int64_t>(table_.size()) / item - 1;
  const std::byte* other = table_.data() + entries * item;
  by_pixels(out, in, scratch, [&](View to, ConstView from) { look_up(to, from, table_.data(), entries, other); });
}

Spec Equalize::infer(size_t, const Spec& in, ConstView) const {
  if (channel_axis_ >= in.shape.ndim) throw std::runtime_error("the image has no axis for its channels");
  return in;
}

void Equalize::run(size_t, View out, ConstView in, Scratch&) const { equalize(out, in, channel_axis_); }

Spec ToneChange::infer(size_t, const Spec& in, ConstView) const {
  if (in.shape.ndim != 3 || in.dtype != DType::u8) throw std::runtime_error("expected 8-bit images of three axes");
  return in;
}

}  // namespace penstock
