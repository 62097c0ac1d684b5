#include "codecs/records/tf_record.h"

#include <bit>
#include <limits>
#include <stdexcept>
#include <string>

#include "codecs/checksum/crc.h"

namespace penstock {
namespace {

template <typename T>
T little_endian(std::span<const std::byte> bytes) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) value |= static_cast<T>(bytes[i]) << 8 * i;
  return value;
}

// Checksums are stored turned and moved, because those of data that holds checksums would be weak.
bool matches(std::span<const std::byte> data, std::span<const std::byte> checksum) {
  return std::rotr(crc32c(data), 15) + 0xa282ead8u == little_endian<uint32_t>(checksum);
}

}  // namespace

int64_t tf_payload_bytes(std::span<const std::byte> header) {
  if (header.size() < kTFHeaderBytes) throw std::runtime_error("the file ends within the header of a record");
  if (!matches(header.first(8), header.subspan(8, 4))) {
    const bool gzip = header[0] == std::byte{0x1f} && header[1] == std::byte{0x8b};
    throw std::runtime_error(gzip ? "the file is compressed; unpack it with gunzip"
                                  : "CRC mismatch of the length: no record starts here, or the file is damaged");
  }
  const auto bytes = little_endian<uint64_t>(header);
  if (bytes > static_cast<uint64_t>(std::numeric_limits<int64_t>::max() / 2))
    throw std::runtime_error("a record of " + std::to_string(bytes) + " bytes");
  return static_cast<int64_t>(bytes);
}

std::span<const std::byte> tf_payload(std::span<const std::byte> record) {
  const int64_t bytes = tf_payload_bytes(record);
  const int64_t given = static_cast<int64_t>(record.size()) - kTFFrameBytes;
  if (bytes != given)
    throw std::runtime_error("the record has a payload of " + std::to_string(bytes) + " bytes, the index says " +
                             std::to_string(given));
  const auto payload = record.subspan(kTFHeaderBytes, bytes);
  if (!matches(payload, record.last(4))) throw std::runtime_error("CRC mismatch of the data: the file is damaged");
  return payload;
}

}  // namespace penstock
