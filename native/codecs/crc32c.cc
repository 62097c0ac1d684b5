#include "codecs/crc32c.h"

#include <array>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#include <nmmintrin.h>
#define PENSTOCK_CRC_TARGET __attribute__((target("sse4.2")))
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#define PENSTOCK_CRC_TARGET
#endif

namespace penstock {
namespace {

constexpr uint32_t kPolynomial = 0x82f63b78;  // bits reversed

using Table = std::array<uint32_t, 256>;

constexpr std::array<Table, 8> make_tables() {
  std::array<Table, 8> tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? kPolynomial : 0);
    tables[0][byte] = crc;
  }
  for (int k = 1; k < 8; ++k)
    for (int byte = 0; byte < 256; ++byte)
      tables[k][byte] = tables[k - 1][byte] >> 8 ^ tables[0][tables[k - 1][byte] & 255];
  return tables;
}

constexpr std::array<Table, 8> kTables = make_tables();

[[maybe_unused]] uint32_t by_table(uint32_t crc, const std::byte* data, size_t bytes) {
  for (; bytes >= 8; data += 8, bytes -= 8) {
    uint32_t next = 0;
    for (int k = 0; k < 8; ++k) {
      const uint32_t mixed = static_cast<uint32_t>(data[k]) ^ (k < 4 ? crc >> 8 * k & 255 : 0);
      next ^= kTables[7 - k][mixed];
    }
    crc = next;
  }
  for (; bytes; ++data, --bytes) crc = crc >> 8 ^ kTables[0][(crc ^ static_cast<uint32_t>(*data)) & 255];
  return crc;
}

#ifdef PENSTOCK_CRC_TARGET

#ifdef __ARM_FEATURE_CRC32
inline uint32_t add_word(uint32_t crc, uint64_t word) { return __crc32cd(crc, word); }
inline uint32_t add_byte(uint32_t crc, uint8_t byte) { return __crc32cb(crc, byte); }
#else
PENSTOCK_CRC_TARGET inline uint32_t add_word(uint32_t crc, uint64_t word) { return _mm_crc32_u64(crc, word); }
PENSTOCK_CRC_TARGET inline uint32_t add_byte(uint32_t crc, uint8_t byte) { return _mm_crc32_u8(crc, byte); }
#endif

// The instruction gives its result three cycles later but can be issued in each: three stretches are summed at once.
constexpr size_t kStretch = 1024;

/// What a stretch of zeros makes of a checksum, by the bytes of the checksum.
PENSTOCK_CRC_TARGET std::array<Table, 4> make_shift() {
  std::array<Table, 4> shift{};
  for (int k = 0; k < 4; ++k)
    for (uint32_t byte = 0; byte < 256; ++byte) {
      uint32_t crc = byte << 8 * k;
      for (size_t i = 0; i < kStretch / 8; ++i) crc = add_word(crc, 0);
      shift[k][byte] = crc;
    }
  return shift;
}

inline uint32_t shifted(const std::array<Table, 4>& shift, uint32_t crc) {
  return shift[0][crc & 255] ^ shift[1][crc >> 8 & 255] ^ shift[2][crc >> 16 & 255] ^ shift[3][crc >> 24];
}

inline uint64_t word_at(const std::byte* data) {
  uint64_t word;
  std::memcpy(&word, data, sizeof word);
  return word;
}

PENSTOCK_CRC_TARGET uint32_t by_instruction(uint32_t crc, const std::byte* data, size_t bytes) {
  static const std::array<Table, 4> shift = make_shift();
  for (; bytes >= 3 * kStretch; data += 3 * kStretch, bytes -= 3 * kStretch) {
    uint32_t second = 0, third = 0;
    for (size_t i = 0; i < kStretch; i += 8) {
      crc = add_word(crc, word_at(data + i));
      second = add_word(second, word_at(data + kStretch + i));
      third = add_word(third, word_at(data + 2 * kStretch + i));
    }
    crc = shifted(shift, shifted(shift, crc) ^ second) ^ third;
  }
  for (; bytes >= 8; data += 8, bytes -= 8) crc = add_word(crc, word_at(data));
  for (; bytes; ++data, --bytes) crc = add_byte(crc, static_cast<uint8_t>(*data));
  return crc;
}

#endif

}  // namespace

uint32_t crc32c(std::span<const std::byte> data) {
#if defined(__ARM_FEATURE_CRC32)
  return ~by_instruction(~0u, data.data(), data.size());
#else
#ifdef PENSTOCK_CRC_TARGET
  static const bool has_instruction = __builtin_cpu_supports("sse4.2");
  if (has_instruction) return ~by_instruction(~0u, data.data(), data.size());
#endif
  return ~by_table(~0u, data.data(), data.size());
#endif
}

}  // namespace penstock
