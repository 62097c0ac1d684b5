// CRC-32C, the checksum of TFRecord files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace penstock {

uint32_t crc32c(std::span<const std::byte> data);

}  // namespace penstock
