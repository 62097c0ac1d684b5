#include "datasets/archives/zip_parser.h"

#include <cstdio>
#include <cstring>

#include "codecs/checksum/crc.h"
#include "datasets/archives/zip.h"
#include "memory/shared_bytes.h"

namespace penstock {
namespace {

size_t little_16(std::span<const std::byte> bytes, size_t offset) {
  return static_cast<size_t>(bytes[offset]) | static_cast<size_t>(bytes[offset + 1]) << 8;
}

std::string hex(uint32_t value) {
  char text[9];
  std::snprintf(text, sizeof text, "%08x", value);
  return text;
}

/// How many bytes the header takes; 0 where there is none.
size_t header_bytes(std::span<const std::byte> piece) {
  if (piece.size() < kZipHeaderBytes || std::memcmp(piece.data(), "PK\3\4", 4) != 0) return 0;
  return kZipHeaderBytes + little_16(piece, 26) + little_16(piece, 28);
}

}  // namespace

ZipParser::ZipParser(std::vector<ZipEntry> entries)
    : entries_(std::move(entries)), packed_(entries_.size()), errors_(entries_.size()) {}

void ZipParser::take(size_t i, std::span<const std::byte> piece) {
  const ZipEntry& entry = entries_[i];
  const size_t start = header_bytes(piece), size = static_cast<size_t>(entry.packed_bytes);
  if (!start || start > piece.size() || size > piece.size() - start) {
    errors_[i] = "the directory gives " + std::to_string(size) + " bytes here, but there is no such member";
    return;
  }
  packed_[i] = piece.subspan(start, size);
  if (!entry.stored) return;
  if (entry.packed_bytes != entry.bytes) {
    errors_[i] = "the member does not unpack to its " + std::to_string(entry.bytes) + " bytes";
  } else if (const uint32_t crc = crc32(packed_[i]); crc != entry.crc) {
    errors_[i] = "the checksum of the member is " + hex(crc) + " instead of " + hex(entry.crc);
  }
}

Samples ZipParser::members(const Samples& pieces) const { return shared_bytes(pieces, packed_); }

}  // namespace penstock
