#include "codecs/jpeg_header.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

#include "codecs/exif.h"

namespace penstock {
namespace {

enum Marker : uint8_t {
  kTem = 0x01,
  kSof0 = 0xC0,
  kSof2 = 0xC2,
  kDht = 0xC4,
  kJpg = 0xC8,
  kSof10 = 0xCA,
  kDac = 0xCC,
  kSof15 = 0xCF,
  kRst0 = 0xD0,
  kSoi = 0xD8,
  kEoi = 0xD9,
  kSos = 0xDA,
  kApp1 = 0xE1,
  kApp14 = 0xEE,
};

bool is_frame(uint8_t marker) {
  return marker >= kSof0 && marker <= kSof15 && marker != kDht && marker != kJpg && marker != kDac;
}

bool has_no_payload(uint8_t marker) { return marker == kTem || (marker >= kRst0 && marker <= kSoi); }

class Markers {
 public:
  explicit Markers(std::span<const std::byte> data) : data_(data) {}

  /// The next marker, wherever it is: bytes that belong to no segment are stepped over, as libjpeg does.
  uint8_t next() {
    while (true) {
      while (byte() != 0xFF) ++at_;
      while (byte() == 0xFF) ++at_;
      const uint8_t marker = byte();
      ++at_;
      if (marker != 0) return marker;
    }
  }

  std::span<const std::byte> payload() {
    const size_t length = byte() << 8 | byte(1);
    if (length < 2 || length > data_.size() - at_) throw ends_early();
    const auto payload = data_.subspan(at_ + 2, length - 2);
    at_ += length;
    return payload;
  }

 private:
  static std::runtime_error ends_early() { return std::runtime_error("the JPEG ends inside its header"); }

  unsigned byte(size_t ahead = 0) const {
    if (at_ + ahead >= data_.size()) throw ends_early();
    return std::to_integer<unsigned>(data_[at_ + ahead]);
  }

  std::span<const std::byte> data_;
  size_t at_ = 2;
};

void read_frame(JpegHeader& header, uint8_t marker, std::span<const std::byte> frame) {
  if (frame.size() < 6) throw std::runtime_error("the JPEG has a damaged frame header");
  const auto byte = [&](size_t i) { return std::to_integer<int>(frame[i]); };
  header.precision = byte(0);
  header.height = byte(1) << 8 | byte(2);
  header.width = byte(3) << 8 | byte(4);
  header.components = byte(5);
  header.progressive = marker == kSof2 || marker == kSof10;
  if (header.width == 0 || header.height == 0 || header.components == 0)
    throw std::runtime_error("the JPEG has no pixels: it says " + std::to_string(header.height) + "x" +
                             std::to_string(header.width) + "x" + std::to_string(header.components));
}

void require_jpeg(std::span<const std::byte> data) {
  if (data.empty()) throw std::runtime_error("the input is empty");
  if (looks_like_jpeg(data)) return;
  std::string starts;
  for (size_t i = 0; i < data.size() && i < 3; ++i) {
    char hex[8];
    std::snprintf(hex, sizeof hex, " %02x", std::to_integer<unsigned>(data[i]));
    starts += hex;
  }
  throw std::runtime_error("not a JPEG: it starts with" + starts + " instead of ff d8 ff");
}

}  // namespace

bool looks_like_jpeg(std::span<const std::byte> data) {
  return data.size() >= 3 && std::memcmp(data.data(), "\xFF\xD8\xFF", 3) == 0;
}

JpegHeader read_jpeg_header(std::span<const std::byte> data) {
  require_jpeg(data);
  JpegHeader header;
  bool oriented = false;
  Markers markers(data);
  while (true) {
    const uint8_t marker = markers.next();
    if (has_no_payload(marker)) continue;
    if (marker == kEoi || marker == kSos) break;
    const auto payload = markers.payload();
    if (is_frame(marker)) {
      read_frame(header, marker, payload);
    } else if (marker == kApp1 && !oriented) {
      const int orientation = exif_orientation(payload);
      oriented = orientation != 0;
      if (oriented) header.orientation = orientation;
    } else if (marker == kApp14 && payload.size() >= 12 && std::memcmp(payload.data(), "Adobe", 5) == 0) {
      header.adobe_transform = std::to_integer<int>(payload[11]);
    }
  }
  if (header.components == 0) throw std::runtime_error("the JPEG has no frame header, so no image");
  return header;
}

}  // namespace penstock
