// The header of a JPEG, read without decoding anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace penstock {

/// What a JPEG says of itself before its first scan.
struct JpegHeader {
  int width = 0;
  int height = 0;
  int components = 0;
  int precision = 8;
  bool progressive = false;
  int orientation = 1;            ///< by EXIF, 1 to 8
  int adobe_transform = -1;       ///< of the Adobe marker: 0 none, 1 YCbCr, 2 YCCK; -1 without the marker
  int64_t coefficient_bytes = 0;  ///< held while decoding, where no scan has all components or all their coefficients
  int64_t least_scan_bytes = 1;   ///< the shortest that the data of the first scan can be
  int64_t scan_bytes = 0;         ///< what follows the header of the first scan in the file
};

bool looks_like_jpeg(std::span<const std::byte> data);

/// Reads the markers up to the first scan. Throws std::runtime_error where they make no JPEG.
JpegHeader read_jpeg_header(std::span<const std::byte> data);

/// Throws std::runtime_error where the file is too short for the size its header says.
void require_enough_data(const JpegHeader& header);

}  // namespace penstock
