#include "codecs/jpeg/jpeg.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "codecs/jpeg/jpeg_header.h"
#include "kernels/bytes/stream.h"
#include "kernels/color/color_space.h"
#include "kernels/spare_threads.h"

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

// Blocks are smoothed by looking at all blocks around.
bool lacks_scans(const jpeg_decompress_struct& info) {
  if (!info.progressive_mode || !info.coef_bits) return false;
  for (int component = 0; component < info.num_components; ++component)
    for (int k = 0; k < kSmoothedCoefficients; ++k)
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
  const int64_t height = scaled_extent(info.image_height, options.eighths);
  const int64_t width = scaled_extent(info.image_width, options.eighths);
  window_ = window.value_or(Rect{0, 0, height, width});
  require_inside(window_, height, width);
  channels_ = channels_of(options.color, info.num_components);
  if (window_.height == 0 || window_.width == 0 || begin_past_libjpeg() || begin_libjpeg(window_.y, true)) return;
  session_->open(data_);
  begin_libjpeg(window_.y, false);
}

bool JpegRows::begin_past_libjpeg() {
  if (options_.fast_idct || !options_.fancy_upsampling) return false;
  const J_COLOR_SPACE color = libjpeg_color(options_.color, session_->info().num_components);
  const auto pixels = color == JCS_GRAYSCALE ? RowDecoder::Pixels::gray
                      : color == JCS_EXT_BGR ? RowDecoder::Pixels::bgr
                                             : RowDecoder::Pixels::rgb;
  decoder_ = session_->start_rows(window_, pixels, options_.max_scans, options_.eighths);
  return decoder_ != nullptr;
}

bool JpegRows::begin_libjpeg(int64_t first_row, bool trusting) {
  jpeg_decompress_struct& info = session_->info();
  info.out_color_space = libjpeg_color(options_.color, info.num_components);
  info.scale_num = options_.eighths;
  info.scale_denom = 8;
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
  const size_t decoded_bytes = static_cast<size_t>(info.output_width) * info.output_components;
  wide_row_.resize(decoded_bytes == row_bytes() ? 0 : decoded_bytes);
  window_offset_ = static_cast<size_t>(window_.x - left) * channels_;
  return ok;
}

void JpegRows::read(uint8_t* const* rows, int count) {
  count = static_cast<int>(std::min<int64_t>(count, window_.height - rows_read_));
  if (window_.width == 0 || count <= 0) return;
  int done = 0;
  if (decoder_) done = read_past_libjpeg(rows, count);
  if (!decoder_ && !read_libjpeg(rows, count, done)) {
    session_->open(data_);
    begin_libjpeg(window_.y + rows_read_ + done, false);
    read_libjpeg(rows, count, done);
  }
  rows_read_ += count;
}

// Where the data is damaged libjpeg goes on, which makes of it what it can.
int JpegRows::read_past_libjpeg(uint8_t* const* rows, int count) {
  for (int done = 0; done < count; ++done) {
    if (!decoder_->read_row(rows[done])) {
      decoder_ = nullptr;
      session_->open(data_);
      begin_libjpeg(window_.y + rows_read_ + done, false);
      return done;
    }
    convert(rows[done], window_.width);
  }
  return count;
}

bool JpegRows::read_libjpeg(uint8_t* const* rows, int count, int& done) {
  const bool in_place = wide_row_.empty();
  while (done < count) {
    int decoded = 0;
    const bool ok = session_->call([&](j_decompress_ptr decoder) {
      uint8_t* wide = wide_row_.data();
      decoded = jpeg_read_scanlines(decoder, in_place ? const_cast<JSAMPARRAY>(rows) + done : &wide,
                                    in_place ? count - done : 1);
      if (decoder->output_scanline == decoder->output_height) jpeg_finish_decompress(decoder);
    });
    if (!ok) return false;
    if (!in_place) {
      convert(wide_row_.data(), session_->info().output_width);
      std::memcpy(rows[done], wide_row_.data() + window_offset_, row_bytes());
    }
    for (int i = 0; in_place && i < decoded; ++i) convert(rows[done + i], window_.width);
    done += decoded;
  }
  return true;
}

void JpegRows::convert(uint8_t* row, size_t pixels) const {
  const jpeg_decompress_struct& info = session_->info();
  const bool is_cmyk = info.num_components == 4;
  if (options_.color == ColorType::any) return;
  if (is_cmyk) cmyk_to_rgb(row, row, pixels, info.saw_Adobe_marker);
  if (options_.color == ColorType::ycbcr) rgb_to_ycbcr(row, row, pixels);
  if (is_cmyk && options_.color == ColorType::bgr) swap_red_and_blue(row, row, pixels);
  if (is_cmyk && options_.color == ColorType::gray) cmyk_rgb_to_gray(row, row, pixels);
}

namespace {

// Has `read(rows, count)` write all rows, a strip of them at a time, while that is true. What goes past the caches is
// copied there from a strip that stays in them.
template <typename Read>
bool read_strips(const JpegRows::Target& target, size_t row_bytes, int64_t height, Scratch& scratch, Read&& read) {
  constexpr int64_t kStrip = JpegRows::kStrip;
  uint8_t* strip = target.past_caches ? scratch.array<uint8_t>(kDecodeRows, row_bytes * kStrip) : nullptr;
  std::array<uint8_t*, kStrip> rows;
  bool is_sound = true;
  for (int64_t y = 0; y < height && is_sound; y += kStrip) {
    const int count = static_cast<int>(std::min(kStrip, height - y));
    uint8_t* const out = target.out + y * target.stride;
    for (int i = 0; i < count; ++i) rows[i] = (strip ? strip : out) + i * target.stride;
    is_sound = read(rows.data(), count);
    if (strip) stream(reinterpret_cast<std::byte*>(out), reinterpret_cast<const std::byte*>(strip), count * row_bytes);
  }
  if (strip) finish_streams();
  return is_sound;
}

}  // namespace

void JpegRows::read_all(const Target& target, Scratch& scratch) {
  if (const std::vector<Rect> bands = this->bands(scratch); bands.size() > 1 && read_in_bands(target, bands, scratch))
    return;
  read_strips(target, row_bytes(), window_.height, scratch, [&](uint8_t* const* rows, int count) {
    read(rows, count);
    return true;
  });
}

std::vector<Rect> JpegRows::bands(const Scratch& scratch) const {
  if (!decoder_ || !scratch.spare_threads || rows_read_ > 0) return {};
  return decoder_->bands(scratch.spare_threads->threads());
}

bool JpegRows::read_in_bands(const Target& target, std::span<const Rect> bands, Scratch& scratch) {
  std::atomic<size_t> next{0};
  std::atomic<bool> failed{false};
  const auto read_bands = [&](size_t, Scratch& own_scratch) {
    try {
      std::unique_ptr<RowDecoder> decoder;
      for (size_t i = next++; i < bands.size() && !failed; i = next++) {
        if (!decoder) decoder = std::make_unique<RowDecoder>();
        if (!read_band(target, bands[i], *decoder, own_scratch)) failed = true;
      }
    } catch (const std::bad_alloc&) {
      failed = true;
    }
  };
  scratch.spare_threads->share(std::min<size_t>(bands.size(), scratch.spare_threads->threads()), read_bands);
  if (failed) return false;
  rows_read_ = window_.height;
  return true;
}

bool JpegRows::read_band(const Target& target, const Rect& band, RowDecoder& decoder, Scratch& scratch) const {
  decoder.begin_band(*decoder_, band);
  const Target own{target.out + (band.y - window_.y) * target.stride, target.stride, target.past_caches};
  return read_strips(own, row_bytes(), band.height, scratch, [&](uint8_t* const* rows, int count) {
    for (int i = 0; i < count; ++i) {
      if (!decoder.read_row(rows[i])) return false;
      convert(rows[i], window_.width);
    }
    return true;
  });
}

void decode_jpeg(uint8_t* out, std::span<const std::byte> data, const JpegOptions& options, const Rect& window,
                 Orientation orientation, bool past_caches, Scratch& scratch) {
  JpegRows rows(data, options, window);
  if (orientation.upright()) return rows.read_all({out, rows.row_bytes(), past_caches}, scratch);
  auto* stored = scratch.array<uint8_t>(kDecodeImage, rows.height() * rows.width() * rows.channels());
  rows.read_all({stored, rows.row_bytes(), false}, scratch);
  turn_upright(out, stored, rows.height(), rows.width(), rows.channels(), orientation);
}

}  // namespace penstock
