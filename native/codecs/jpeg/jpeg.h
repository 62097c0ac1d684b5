// Decoding of JPEGs: whole, a window of them, or row by row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "codecs/jpeg/jpeg_session.h"
#include "codecs/jpeg/orientation.h"
#include "kernels/color/decoded_color.h"
#include "memory/rect.h"
#include "memory/scratch.h"

namespace penstock {

struct JpegOptions {
  ColorType color = ColorType::rgb;
  bool fancy_upsampling = true;
  bool fast_idct = false;
  int max_scans = 500;
};

/// Channels of a JPEG of so many components once it is decoded to `color`.
int channels_of(ColorType color, int components);

/// A JPEG decoded row by row, as it is stored: nothing is turned upright. The thread that makes it must use it.
class JpegRows {
 public:
  /// Rows in a good portion to `read`: they stay in the nearest cache.
  static constexpr int kStrip = 16;

  /// `window` is what to decode; the pixels are those that decoding the whole image gives there.
  JpegRows(std::span<const std::byte> data, const JpegOptions& options, std::optional<Rect> window = std::nullopt);

  int64_t height() const { return window_.height; }
  int64_t width() const { return window_.width; }
  int channels() const { return channels_; }

  /// What each row given to `read` must hold: some columns beside the window are decoded too.
  size_t row_bytes() const { return row_bytes_; }
  /// Where in a row the window begins.
  size_t row_offset() const { return row_offset_; }

  /// Decodes the next `count` rows of the window; no more than are left.
  void read(uint8_t* const* rows, int count);

 private:
  bool begin(int64_t first_row, bool trusting);
  void convert(uint8_t* row) const;

  std::span<const std::byte> data_;
  JpegOptions options_;
  Rect window_;
  int channels_ = 0;
  size_t row_bytes_ = 0, row_offset_ = 0;
  int64_t rows_read_ = 0;
  JpegSession::Lease session_;
};

/// Decodes `window` of the stored image and turns it upright into `out`: height x width x channels, without gaps.
void decode_jpeg(uint8_t* out, std::span<const std::byte> data, const JpegOptions& options, const Rect& window,
                 Orientation orientation, Scratch& scratch);

}  // namespace penstock
