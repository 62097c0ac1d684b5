// Checksums of archives: CRC-32C of TFRecord files, CRC-32 of zip archives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace penstock {

uint32_t crc32c(std::span<const std::byte> data);
uint32_t crc32(std::span<const std::byte> data);

}  // namespace penstock
