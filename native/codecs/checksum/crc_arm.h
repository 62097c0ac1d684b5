// Checksums by the CRC instructions of ARM. Included by crc.cc only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/arm_instruction_sets.h"

#ifdef PENSTOCK_ARM_CRC

namespace penstock::crc {

/// For both polynomials of crc_table.h. May be called only where kHasArmCrc.
template <uint32_t polynomial>
PENSTOCK_ARM_CRC uint32_t by_instruction(uint32_t crc, const std::byte* data, size_t bytes);

}  // namespace penstock::crc

#endif
