#include "codecs/checksum/crc_arm.h"

#ifdef PENSTOCK_ARM_CRC

#include <arm_acle.h>

#include <cstring>

#include "codecs/checksum/crc_table.h"

namespace penstock::crc {

template <uint32_t polynomial>
PENSTOCK_ARM_CRC uint32_t by_instruction(uint32_t crc, const std::byte* data, size_t bytes) {
  for (; bytes >= 8; data += 8, bytes -= 8) {
    uint64_t word;
    std::memcpy(&word, data, sizeof word);
    crc = polynomial == kCastagnoli ? __crc32cd(crc, word) : __crc32d(crc, word);
  }
  return by_table<polynomial>(crc, data, bytes);
}

template uint32_t by_instruction<kCastagnoli>(uint32_t, const std::byte*, size_t);
template uint32_t by_instruction<kZip>(uint32_t, const std::byte*, size_t);

}  // namespace penstock::crc

#endif
