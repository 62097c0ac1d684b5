#include "codecs/jpeg/jpeg.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <string>

#include "codecs/jpeg/jpeg_header.h"
#include "kernels/color/color_space.h"

namespace penstock {
namespace {

J_COLOR_SPACE libjpeg_color(ColorType color, int components) {
  if (components == 4) return JCS_CMYK;
  if (color == ColorType::gray || (color == ColorType::any && components == 1)) return JCS_GRAYSCALE;
  return color == ColorType::bgr ? JCS_EXT_BGR : JCS_RGB;
}

// Memory is laid out by our reading of the header, filled by libjpeg's.
void require_agreement(const JpegHeader& header, const jpeg_decompress_struct& info) {
  const bool agreed = header.height == static_cast<int>(info.image_height) &&
                      header.width == static_cast<int>(info.image_width) && header.components == info.num_components;
  if (!agreed) throw std::runtime_error("the JPEG has two frame headers that contradict each other");
}

// Smoothed chroma looks at its neighbours: one sample of at most 4 pixels on each side.
constexpr int64_t kMargin = 4;

// libjpeg smooths the blocks of a progressive JPEG that lacks scans, looking at all blocks around.
bool lacks_scans(const jpeg_decompress_struct& info) {
  if (!info.progressive_mode || !info.coef_bits) return false;
  constexpr int kSmoothed = 10;
  for (int component = 0; component < info.num_components; ++component)
    for (int k = 0; k < kSmoothed; ++k)
      if (info.coef_bits[component][k] != 0) return true;
  return false;
}

}  // namespace

int channels_of(ColorType color, int components) {
  if (components != 1 && components != 3 && components != 4)
    throw std::runtime_error("a JPEG of " + std::to_string(components) + " components is not supported; 1, 3 or 4 are");
  if (color == ColorType::any) return components;
  return color == ColorType::gray ? 1 : 3;
}

JpegRows::JpegRows(std::span<const std::byte> data, const JpegOptions& options, std::optional<Rect> window)
    : data_(data), options_(options), session_(JpegSession::lease()) {
  const JpegHeader header = read_jpeg_header(data_);
  session_->open(data_);
  const jpeg_decompress_struct& info = session_->info();
  require_agreement(header, info);
  window_ = window.value_or(Rect{0, 0, info.image_height, info.image_width});
  require_inside(window_, info.image_height, info.image_width);
  channels_ = channels_of(options.color, info.num_components);
  if (window_.height == 0 || window_.width == 0) return;
  if (begin(window_.y, true)) return;
  session_->open(data_);
  begin(window_.y, false);
}

bool JpegRows::begin(int64_t first_row, bool trusting) {
  jpeg_decompress_struct& info = session_->info();
  info.out_color_space = libjpeg_color(options_.color, info.num_components);
  info.do_fancy_upsampling = options_.fancy_upsampling;
  info.dct_method = options_.fast_idct ? JDCT_IFAST : JDCT_ISLOW;
  session_->start(options_.max_scans, trusting);

  JDIMENSION left = 0, width = info.output_width;
  const bool ok = session_->call([&](j_decompress_ptr decoder) {
    if (window_.width < width && !lacks_scans(*decoder)) {
      left = static_cast<JDIMENSION>(std::max<int64_t>(window_.x - kMargin, 0));
      width = static_cast<JDIMENSION>(std::min<int64_t>(window_.x + window_.width + kMargin, width)) - left;
      jpeg_crop_scanline(decoder, &left, &width);
    }
    if (first_row > 0) jpeg_skip_scanlines(decoder, static_cast<JDIMENSION>(first_row));
  });
  row_bytes_ = static_cast<size_t>(info.output_width) * info.output_components;
  row_offset_ = static_cast<size_t>(window_.x - left) * channels_;
  return ok;
}

void JpegRows::read(uint8_t* const* rows, int count) {
  count = static_cast<int>(std::min<int64_t>(count, window_.height - rows_read_));
  if (window_.width == 0) return;
  int done = 0;
  const auto decode = [&](j_decompress_ptr decoder) {
    while (done < count) done += jpeg_read_scanlines(decoder, const_cast<JSAMPARRAY>(rows) + done, count - done);
    if (decoder->output_scanline == decoder->output_height && count > 0) jpeg_finish_decompress(decoder);
  };
  if (!session_->call(decode)) {
    session_->open(data_);
    begin(window_.y + rows_read_ + done, false);
    session_->call(decode);
  }
  for (int i = 0; i < count; ++i) convert(rows[i]);
  rows_read_ += count;
}

void JpegRows::convert(uint8_t* row) const {
  const jpeg_decompress_struct& info = session_->info();
  const bool is_cmyk = info.out_color_space == JCS_CMYK;
  if (options_.color == ColorType::any) return;
  if (is_cmyk) cmyk_to_rgb(row, row, info.output_width, info.saw_Adobe_marker);
  if (options_.color == ColorType::ycbcr) rgb_to_ycbcr(row, row, info.output_width);
  if (is_cmyk && options_.color == ColorType::bgr) swap_red_and_blue(row, row, info.output_width);
  if (is_cmyk && options_.color == ColorType::gray) cmyk_rgb_to_gray(row, row, info.output_width);
}

namespace {

void read_image(uint8_t* out, JpegRows& rows, Scratch& scratch) {
  const size_t out_row = static_cast<size_t>(rows.width()) * rows.channels();
  const bool in_place = rows.row_bytes() == out_row;
  uint8_t* strip = in_place ? out : scratch.array<uint8_t>(kDecodeRows, rows.row_bytes() * JpegRows::kStrip);
  std::array<uint8_t*, JpegRows::kStrip> targets;
  for (int64_t y = 0; y < rows.height(); y += JpegRows::kStrip) {
    const int count = static_cast<int>(std::min<int64_t>(JpegRows::kStrip, rows.height() - y));
    for (int i = 0; i < count; ++i) targets[i] = strip + ((in_place ? y : 0) + i) * rows.row_bytes();
    rows.read(targets.data(), count);
    if (in_place) continue;
    for (int i = 0; i < count; ++i) std::memcpy(out + (y + i) * out_row, targets[i] + rows.row_offset(), out_row);
  }
}

}  // namespace

void decode_jpeg(uint8_t* out, std::span<const std::byte> data, const JpegOptions& options, const Rect& window,
                 Orientation orientation, Scratch& scratch) {
  JpegRows rows(data, options, window);
  if (orientation.upright()) return read_image(out, rows, scratch);
  auto* stored = scratch.array<uint8_t>(kDecodeImage, rows.height() * rows.width() * rows.channels());
  read_image(stored, rows, scratch);
  turn_upright(out, stored, rows.height(), rows.width(), rows.channels(), orientation);
}

}  // namespace penstock
