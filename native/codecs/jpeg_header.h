#pragma once

#include <cstddef>
#include <span>

namespace penstock {

/// What a JPEG says of itself before its first scan.
struct JpegHeader {
  int width = 0;
  int height = 0;
  int components = 0;
  int precision = 8;
  bool progressive = false;
  int orientation = 1;       ///< by EXIF, 1 to 8
  int adobe_transform = -1;  ///< of the Adobe marker: 0 none, 1 YCbCr, 2 YCCK; -1 without the marker
};

bool looks_like_jpeg(std::span<const std::byte> data);

/// Reads the markers up to the first scan. Throws std::runtime_error where they make no JPEG.
JpegHeader read_jpeg_header(std::span<const std::byte> data);

}  // namespace penstock
