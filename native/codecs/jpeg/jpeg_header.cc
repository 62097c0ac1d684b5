#include "codecs/jpeg/jpeg_header.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>

#include "codecs/jpeg/exif.h"

namespace penstock {
namespace {

enum Marker : uint8_t {
  kTem = 0x01,
  kSof0 = 0xC0,
  kSof1 = 0xC1,
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

  /// Whether the next bytes are the length of a segment that is all there.
  bool has_payload() const {
    if (left() < 2) return false;
    const size_t length = byte() << 8 | byte(1);
    return length >= 2 && length <= left();
  }

  std::span<const std::byte> payload() {
    if (!has_payload()) throw ends_early();
    const size_t length = byte() << 8 | byte(1);
    const auto payload = data_.subspan(at_ + 2, length - 2);
    at_ += length;
    return payload;
  }

  /// How many bytes follow.
  size_t left() const { return data_.size() - at_; }

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

/// A component of a frame: its name and how many of its samples make up a unit along each axis.
struct Component {
  int id = 0, across = 0, down = 0;
};

struct Frame {
  uint8_t marker = 0;
  int count = 0;
  std::array<Component, 4> components;
  int across = 1, down = 1;  // the largest of the components
};

/// Nothing where the components are not such as libjpeg decodes: it says why.
std::optional<Frame> components_of(uint8_t marker, std::span<const std::byte> payload) {
  const auto byte = [&](size_t i) { return std::to_integer<int>(payload[i]); };
  Frame frame{marker, byte(5), {}};
  if (frame.count > 4 || payload.size() < 6 + 3 * static_cast<size_t>(frame.count)) return std::nullopt;
  for (int k = 0; k < frame.count; ++k) {
    const int factors = byte(7 + 3 * k);
    const Component component{byte(6 + 3 * k), factors >> 4, factors & 15};
    if (component.across < 1 || component.across > 4 || component.down < 1 || component.down > 4) return std::nullopt;
    frame.components[k] = component;
    frame.across = std::max(frame.across, component.across);
    frame.down = std::max(frame.down, component.down);
  }
  return frame;
}

// Extents are below 2^16 and factors at most 4. Every image is measured here several times, and 64 bits divide slower.
int64_t blocks_along(int extent, int factor, int largest_factor) {
  constexpr uint32_t kBlockEdge = 8;
  const uint32_t samples = static_cast<uint32_t>(extent) * static_cast<uint32_t>(factor);
  const uint32_t unit = static_cast<uint32_t>(largest_factor) * kBlockEdge;
  return (samples + unit - 1) / unit;
}

int64_t blocks_of(const JpegHeader& header, const Frame& frame, const Component& component) {
  return blocks_along(header.width, component.across, frame.across) *
         blocks_along(header.height, component.down, frame.down);
}

// With Huffman codes, of a bit at least, a block is a difference of its mean and one code or more for the rest; in the
// first scan of a progressive JPEG it is the former, or a bit that refines it. Arithmetic codes have no such bound, and
// neither have runs of blocks in which nothing changes.
int least_bits_of_block(uint8_t frame, int first_coefficient) {
  if (frame == kSof0 || frame == kSof1) return 2;
  return frame == kSof2 && first_coefficient == 0 ? 1 : 0;
}

void read_scan(JpegHeader& header, const Frame& frame, std::span<const std::byte> scan) {
  const auto byte = [&](size_t i) { return std::to_integer<int>(scan[i]); };
  const size_t count = scan.empty() ? 0 : byte(0);
  if (scan.size() < 4 + 2 * count) return;
  if (count < static_cast<size_t>(frame.count) || header.progressive) {
    // Of progressive JPEGs it is noted which coefficients are not zero, a bit for each.
    const int64_t bytes = 64 * sizeof(int16_t) + (header.progressive ? sizeof(uint64_t) : 0);
    for (int k = 0; k < frame.count; ++k)
      header.coefficient_bytes += blocks_of(header, frame, frame.components[k]) * bytes;
  }
  const int bits = least_bits_of_block(frame.marker, byte(1 + 2 * count));
  std::array<int64_t, 4> blocks;
  blocks.fill(std::numeric_limits<int64_t>::max());
  size_t found = 0;
  for (int k = 0; k < frame.count; ++k)
    for (size_t j = 0; j < count; ++j)
      if (byte(1 + 2 * j) == frame.components[k].id) {
        blocks[found++] = blocks_of(header, frame, frame.components[k]);
        break;
      }
  std::sort(blocks.begin(), blocks.end());
  // Where components share a name, the smallest may be meant.
  const int64_t least_bits =
      std::accumulate(blocks.begin(), blocks.begin() + std::min(found, count), int64_t{0}) * bits;
  header.least_scan_bytes = std::max<int64_t>(least_bits / 8, 1);
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
  std::optional<Frame> frame;
  Markers markers(data);
  while (true) {
    const uint8_t marker = markers.next();
    if (has_no_payload(marker)) continue;
    if (marker == kEoi) break;
    if (marker == kSos) {
      if (frame && markers.has_payload()) read_scan(header, *frame, markers.payload());
      header.scan_bytes = static_cast<int64_t>(markers.left());
      break;
    }
    const auto payload = markers.payload();
    if (is_frame(marker)) {
      read_frame(header, marker, payload);
      frame = components_of(marker, payload);
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

void require_enough_data(const JpegHeader& header) {
  if (header.scan_bytes >= header.least_scan_bytes) return;
  throw std::runtime_error("the JPEG ends early: an image of " + std::to_string(header.height) + "x" +
                           std::to_string(header.width) + "x" + std::to_string(header.components) + " takes at least " +
                           std::to_string(header.least_scan_bytes) + " bytes after its header, there are " +
                           std::to_string(header.scan_bytes));
}

}  // namespace penstock
