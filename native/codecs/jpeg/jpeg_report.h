// All there is to know about a JPEG before it is used: its header, and whether all of its data can be decoded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "codecs/jpeg/jpeg_header.h"

namespace penstock {

/// The header, and libjpeg's first complaint about the data behind it: "" where there is none.
struct JpegReport {
  JpegHeader header;
  std::string damage;
};

/// Decodes all of a JPEG at an eighth of its size: every coefficient is read, few pixels are made.
/// Throws std::runtime_error where it cannot be decoded, or would take more than `max_bytes`.
JpegReport report_jpeg(std::span<const std::byte> data, int64_t max_bytes);

}  // namespace penstock
