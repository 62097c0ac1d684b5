// Checksums a byte at a time by tables, which finish what wider instructions leave. Included by crc only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace penstock::crc {

// Polynomials with their bits reversed.
constexpr uint32_t kCastagnoli = 0x82f63b78;
constexpr uint32_t kZip = 0xedb88320;

constexpr uint32_t times_x(uint32_t value, uint32_t polynomial) { return value >> 1 ^ (value & 1 ? polynomial : 0); }

using Table = std::array<uint32_t, 256>;

constexpr std::array<Table, 8> make_tables(uint32_t polynomial) {
  std::array<Table, 8> tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = times_x(crc, polynomial);
    tables[0][byte] = crc;
  }
  for (int k = 1; k < 8; ++k)
    for (int byte = 0; byte < 256; ++byte)
      tables[k][byte] = tables[k - 1][byte] >> 8 ^ tables[0][tables[k - 1][byte] & 255];
  return tables;
}

template <uint32_t polynomial>
uint32_t by_table(uint32_t crc, const std::byte* data, size_t bytes) {
  static constexpr std::array<Table, 8> tables = make_tables(polynomial);
  for (; bytes >= 8; data += 8, bytes -= 8) {
    uint32_t next = 0;
    for (int k = 0; k < 8; ++k) {
      const uint32_t mixed = static_cast<uint32_t>(data[k]) ^ (k < 4 ? crc >> 8 * k & 255 : 0);
      next ^= tables[7 - k][mixed];
    }
    crc = next;
  }
  for (; bytes; ++data, --bytes) crc = crc >> 8 ^ tables[0][(crc ^ static_cast<uint32_t>(*data)) & 255];
  return crc;
}

}  // namespace penstock::crc
