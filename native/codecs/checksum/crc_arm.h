// Checksums by the CRC instructions of ARM. Included by crc.cc only.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __ARM_FEATURE_CRC32

namespace penstock::crc {

/// For both polynomials of crc_table.h.
template <uint32_t polynomial>
uint32_t by_instruction(uint32_t crc, const std::byte* data, size_t bytes);

}  // namespace penstock::crc

#endif
