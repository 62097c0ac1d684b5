#include "codecs/checksum/crc.h"

#include "codecs/checksum/crc_arm.h"
#include "codecs/checksum/crc_table.h"
#include "codecs/checksum/crc_x86.h"

namespace penstock {
namespace {

template <uint32_t polynomial>
uint32_t checksum(std::span<const std::byte> data) {
#ifdef PENSTOCK_X86
  if (kHasAvx512Pclmul) return ~crc::by_wide_product<polynomial>(~0u, data.data(), data.size());
  if (kHasPclmul) return ~crc::by_product<polynomial>(~0u, data.data(), data.size());
#elif defined(PENSTOCK_ARM_CRC)
  if (kHasArmCrc) return ~crc::by_instruction<polynomial>(~0u, data.data(), data.size());
#endif
  return ~crc::by_table<polynomial>(~0u, data.data(), data.size());
}

}  // namespace

uint32_t crc32c(std::span<const std::byte> data) { return checksum<crc::kCastagnoli>(data); }

uint32_t crc32(std::span<const std::byte> data) { return checksum<crc::kZip>(data); }

}  // namespace penstock
