// Decoding of JPEGs: whole, a window of them, or row by row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

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
  int eighths = 8;  ///< of the stored size that is decoded: 1, 2, 4 or 8
};

/// How many pixels there are of `pixels` at a smaller size.
inline int64_t scaled_extent(int64_t pixels, int eighths) { return (pixels * eighths + 7) / 8; }

/// Channels of a JPEG of so many components once it is decoded to `color`.
int channels_of(ColorType color, int components);

/// A JPEG decoded row by row, as it is stored: nothing is turned upright. The thread that makes it must use it.
class JpegRows {
 public:
  /// Rows in a good portion to `read`: they stay in the nearest cache.
  static constexpr int kStrip = 16;

  /// `window` is what to decode, at the size that `options` ask for; the pixels are those that decoding the whole image
  /// gives there.
  JpegRows(std::span<const std::byte> data, const JpegOptions& options, std::optional<Rect> window = std::nullopt);

  int64_t height() const { return window_.height; }
  int64_t width() const { return window_.width; }
  int channels() const { return channels_; }

  size_t row_bytes() const { return static_cast<size_t>(window_.width) * channels_; }

  /// Decodes the next `count` rows of the window, of `row_bytes` each; no more than are left.
  void read(uint8_t* const* rows, int count);

  /// Where all rows go, `stride` bytes apart. `past_caches` is for rows without gaps between them.
  struct Target {
    uint8_t* out;
    size_t stride;
    bool past_caches;
  };
  /// Decodes all rows of the window.
  void read_all(const Target& target, Scratch& scratch);
  /// Parts of the window that threads may decode at once: one, or none, where there are no spare threads or that is not
  /// possible, or not worthwhile.
  std::vector<Rect> bands(const Scratch& scratch) const;
  /// Decodes all rows of the window by its bands. False where the data is damaged: then no row counts as read.
  bool read_in_bands(const Target& target, std::span<const Rect> bands, Scratch& scratch);

 private:
  bool begin_past_libjpeg();
  bool begin_libjpeg(int64_t first_row, bool trusting);
  int read_past_libjpeg(uint8_t* const* rows, int count);
  bool read_libjpeg(uint8_t* const* rows, int count, int& done);
  bool read_band(const Target& target, const Rect& band, RowDecoder& decoder, Scratch& scratch) const;
  void convert(uint8_t* row, size_t pixels) const;

  std::span<const std::byte> data_;
  JpegOptions options_;
  Rect window_;
  int channels_ = 0;
  int64_t rows_read_ = 0;
  JpegSession::Lease session_;
  RowDecoder* decoder_ = nullptr;  // null where libjpeg decodes
  size_t window_offset_ = 0;       // where in libjpeg's rows the window begins: it decodes columns beside it too
  std::vector<uint8_t> wide_row_;  // one of libjpeg's rows, where they are not the window's
};

/// Decodes `window` of the stored image and turns it upright into `out`: height x width x channels, without gaps.
/// `past_caches` tells that nobody will read the result while it would still be in them.
void decode_jpeg(uint8_t* out, std::span<const std::byte> data, const JpegOptions& options, const Rect& window,
                 Orientation orientation, bool past_caches, Scratch& scratch);

}  // namespace penstock
