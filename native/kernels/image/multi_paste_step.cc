#include "kernels/image/multi_paste_step.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "kernels/bytes/stream.h"
#include "kernels/elements/convert.h"

namespace penstock {
namespace {

// Volumes of samples must stay 64-bit numbers.
constexpr int64_t kLargestCanvas = int64_t{1} << 40;

template <typename Rect>
std::string text(const Rect& r) {
  return std::to_string(r.y) + " x " + std::to_string(r.x);
}

std::string where(size_t region, size_t sample) {
  return ", for the region at index " + std::to_string(region) + ", pasted into output sample at index " +
         std::to_string(sample) + ".";
}

/// One side of a region in pixels: a share of `extent` is rounded down for anchors and up for sizes.
int64_t in_pixels(float value, const RegionSides& sides, const char* name, int64_t extent, bool rounds_up) {
  if (!sides.is_share) return static_cast<int64_t>(value);
  if (!(value >= 0 && value <= 1))
    throw std::runtime_error(std::string("The `") + name + "_rel` must be in range [0, 1], got " +
                             std::to_string(value));
  const float exact = value * static_cast<float>(extent);
  return static_cast<int64_t>(rounds_up ? std::ceil(exact) : std::floor(exact));
}

void require_pairs(const RegionSides& sides, const char* name, size_t sample, size_t pieces) {
  if (sides.values.given() && sides.values[sample].size() != 2 * pieces)
    throw std::runtime_error(
        std::string("Unexpected shape for argument `") + name + "` for output sample at index " +
        std::to_string(sample) + ". It should be a 2D tensor of shape `number of pasted regions` x 2, i.e. " +
        std::to_string(pieces) + " x 2. Got " + std::to_string(sides.values[sample].size()) + " values");
}

}  // namespace

MultiPaste::MultiPaste(Arguments arguments) : arguments_(std::move(arguments)) {
  const auto side = [](const Shape& s, int back) { return s[s.ndim - back]; };
  const Shape* first = nullptr;
  for (const Samples& input : arguments_.inputs)
    for (size_t i = 0; i < input.size(); ++i) {
      const Shape& shape = input.shape(i);
      if (!first) first = &shape;
      alike_ &= side(shape, 3) == side(*first, 3) && side(shape, 2) == side(*first, 2);
    }
}

ConstView MultiPaste::source(size_t sample, size_t piece) const {
  const bool by_id = arguments_.ids.given();
  const Samples& input = arguments_.inputs[by_id ? 0 : piece];
  size_t index = sample;
  if (by_id) {
    const int32_t id = arguments_.ids[sample][piece];
    if (id < 0 || static_cast<size_t>(id) >= arguments_.batch)
      throw std::runtime_error("The `in_idx` must be in range [0, .., batch_size - 1]. Got in_idx: " +
                               std::to_string(id) + ". Input batch size is: " + std::to_string(arguments_.batch) + ".");
    index = static_cast<size_t>(id);
  }
  return input.const_view(input.size() == 1 ? 0 : index);
}

MultiPaste::Rect MultiPaste::canvas(size_t sample) const {
  if (arguments_.size.width()) {
    const Rect size{arguments_.size[sample][0], arguments_.size[sample][1]};
    if (size.y < 0 || size.x < 0)
      throw std::runtime_error("The `output_size` must be non-negative, got a shape with negative extent: " +
                               text(size) + " for a sample at index " + std::to_string(sample) + ".");
    if (size.y * size.x > kLargestCanvas)
      throw std::runtime_error("a canvas of " + text(size) + " is too large; the limit is 2^40 pixels");
    return size;
  }
  if (!alike_)
    throw std::runtime_error(
        "If the `output_size` is not specified, all the input samples must have the same shape: height and width "
        "differ");
  const Shape& shape = arguments_.inputs[0].shape(0);
  return {shape[shape.ndim - 3], shape[shape.ndim - 2]};
}

void MultiPaste::place(Piece& piece, size_t sample, size_t index, const Rect& canvas) const {
  const auto& [in, shape, out] = std::tie(arguments_.in, arguments_.shape, arguments_.out);
  const Rect whole{piece.height(), piece.width()};
  const auto side = [&](const RegionSides& sides, const char* name, int which, int64_t extent, bool up) {
    return in_pixels(sides.values[sample][2 * index + which], sides, name, extent, up);
  };
  if (in.values.given())
    piece.from = {side(in, "in_anchors", 0, whole.y, false), side(in, "in_anchors", 1, whole.x, false)};
  piece.size = {whole.y - piece.from.y, whole.x - piece.from.x};
  if (shape.values.given())
    piece.size = {side(shape, "shapes", 0, whole.y, true), side(shape, "shapes", 1, whole.x, true)};
  if (out.values.given())
    piece.to = {side(out, "out_anchors", 0, canvas.y, false), side(out, "out_anchors", 1, canvas.x, false)};
  const auto fits = [&](const Rect& at, const Rect& room) {
    return at.y >= 0 && at.x >= 0 && at.y + piece.size.y <= room.y && at.x + piece.size.x <= room.x;
  };
  if (piece.size.y < 0 || piece.size.x < 0 || !fits(piece.from, whole))
    throw std::runtime_error("The pasted region must be within input sample. Got input anchor: " + text(piece.from) +
                             ", pasted region shape: " + text(piece.size) + ", input shape: " + text(whole) +
                             where(index, sample));
  if (!fits(piece.to, canvas))
    throw std::runtime_error("The pasted region must be within output bounds. Got output anchor: " + text(piece.to) +
                             ", pasted region shape: " + text(piece.size) + ", output shape: " + text(canvas) +
                             where(index, sample));
}

std::vector<MultiPaste::Piece> MultiPaste::pieces(size_t sample, const Rect& canvas) const {
  const size_t count = arguments_.ids.given() ? arguments_.ids[sample].size() : arguments_.inputs.size();
  require_pairs(arguments_.in, "in_anchors", sample, count);
  require_pairs(arguments_.shape, "shapes", sample, count);
  require_pairs(arguments_.out, "out_anchors", sample, count);
  std::vector<Piece> made(count);
  for (size_t k = 0; k < count; ++k) {
    made[k].source = source(sample, k);
    place(made[k], sample, k, canvas);
    if (made[k].channels() != made[0].channels())
      throw std::runtime_error("All regions pasted into one sample must have the same number of channels, got " +
                               std::to_string(made[0].channels()) + " and " + std::to_string(made[k].channels()));
  }
  return made;
}

Spec MultiPaste::infer(size_t sample, const Spec& in, ConstView) const {
  const Rect size = canvas(sample);
  const std::vector<Piece> all = pieces(sample, size);
  const int64_t channels = all.empty() ? in.shape[in.shape.ndim - 1] : all[0].channels();
  bool moves = in.shape.ndim == 4;
  int64_t frames = moves ? in.shape[0] : 1;
  for (const Piece& piece : all) {
    if (piece.source.shape.ndim != 4) continue;
    if (moves && piece.frames() != frames)
      throw std::runtime_error("sequences pasted together must have the same number of frames, got " +
                               std::to_string(frames) + " and " + std::to_string(piece.frames()));
    moves = true;
    frames = piece.frames();
  }
  const Shape image{3, {size.y, size.x, channels}}, sequence{4, {frames, size.y, size.x, channels}};
  return {arguments_.dtype, moves ? sequence : image};
}

std::vector<MultiPaste::Piece> MultiPaste::band(const std::vector<Piece>& all, int64_t top, int64_t& bottom) {
  std::vector<Piece> found;
  for (const Piece& piece : all) {
    const int64_t end = piece.to.y + piece.size.y;
    if (top >= end || piece.size.x == 0) continue;
    if (top >= piece.to.y) found.push_back(piece);
    bottom = std::min(bottom, top >= piece.to.y ? end : piece.to.y);
  }
  return found;
}

bool MultiPaste::covers(const std::vector<Piece>& pieces, int64_t width) {
  int64_t reached = 0;
  for (bool further = true; further;) {
    further = false;
    for (const Piece& piece : pieces) {
      if (piece.to.x > reached || piece.to.x + piece.size.x <= reached) continue;
      reached = piece.to.x + piece.size.x;
      further = true;
    }
  }
  return reached == width;
}

void MultiPaste::run(size_t sample, View out, ConstView in, Scratch& scratch) const {
  const int lead = out.shape.ndim - 3;
  const int64_t height = out.shape[lead], width = out.shape[lead + 1], channels = out.shape[lead + 2];
  const int64_t row = width * channels * item_bytes(out.dtype);
  const int64_t from_pixel = channels * item_bytes(in.dtype), to_pixel = channels * item_bytes(out.dtype);
  const bool streams = scratch.past_caches && out.dtype == in.dtype && row >= kShortestStreamedRow;
  const std::vector<Piece> all = pieces(sample, {height, width});
  for (int64_t top = 0, bottom; top < height; top = bottom) {
    bottom = height;
    const std::vector<Piece> here = band(all, top, bottom);
    const bool covered = covers(here, width);
    const ConvertRow convert =
        streams && covered ? streaming_copy(out.dtype) : rounding_conversion(out.dtype, in.dtype);
    for (int64_t frame = 0; frame < out.shape.volume(0, lead); ++frame)
      for (int64_t y = top; y < bottom; ++y) {
        std::byte* to = out.data + (frame * height + y) * row;
        if (!covered) std::memset(to, 0, row);
        for (const Piece& piece : here) {
          const int64_t line = (piece.frames() > 1 ? frame : 0) * piece.height() + piece.from.y + y - piece.to.y;
          convert(to + piece.to.x * to_pixel, piece.source.data + (line * piece.width() + piece.from.x) * from_pixel,
                  piece.size.x * channels);
        }
      }
  }
  if (streams) finish_streams();
}

}  // namespace penstock
