// Checksums by carry-less products, 64 or 256 bytes at a time, on x86. Included by crc.cc only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/instruction_sets.h"

#ifdef PENSTOCK_X86

namespace penstock::crc {

/// For both polynomials of crc_table.h.
template <uint32_t polynomial>
PENSTOCK_PCLMUL uint32_t by_product(uint32_t crc, const std::byte* data, size_t bytes);
template <uint32_t polynomial>
PENSTOCK_AVX512_PCLMUL uint32_t by_wide_product(uint32_t crc, const std::byte* data, size_t bytes);

}  // namespace penstock::crc

#endif
