// Records of MXNet's RecordIO files. One that has the magic word inside is kept in parts, with the word left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace penstock {

constexpr int64_t kRecordIOHeaderBytes = 8;

enum class Part : uint8_t { whole, first, middle, last };

struct RecordIOHeader {
  Part part;
  int64_t payload_bytes;
  /// With header and padding.
  int64_t bytes() const { return kRecordIOHeaderBytes + (payload_bytes + 3) / 4 * 4; }
};

/// Throws where the bytes do not begin with a header.
RecordIOHeader recordio_header(std::span<const std::byte> bytes);

/// An image as MXNet packs it: a label of one or several numbers, and the file.
struct RecordIOImage {
  std::vector<float> label;
  std::span<const std::byte> file;
};

/// The image in the record at the beginning of `bytes`, more may follow. A record in parts is put together in `joined`,
/// which the result then refers to. Throws for a record that is cut off or holds no image.
RecordIOImage recordio_image(std::span<const std::byte> bytes, std::vector<std::byte>& joined);

}  // namespace penstock
