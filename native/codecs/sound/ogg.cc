#include "codecs/sound/ogg.h"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <string>

#include "codecs/sound/stored_number.h"

namespace penstock {
namespace {

constexpr int64_t kHeaderBytes = 27, kMostSegments = 255;
constexpr uint8_t kFirst = 2, kLast = 4;

// The polynomial 0x04C11DB7 from the highest bit on, four bytes at a time.
constexpr auto kTables = [] {
  std::array<std::array<uint32_t, 256>, 4> made{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i << 24;
    for (int bit = 0; bit < 8; ++bit) value = value << 1 ^ (value >> 31 ? 0x04C11DB7u : 0);
    made[0][i] = value;
  }
  for (size_t k = 1; k < 4; ++k)
    for (size_t i = 0; i < 256; ++i) made[k][i] = made[k - 1][i] << 8 ^ made[0][made[k - 1][i] >> 24];
  return made;
}();

uint32_t byte_at(const std::byte* at) { return std::to_integer<uint32_t>(*at); }

uint32_t checksum(uint32_t crc, const std::byte* data, int64_t n) {
  for (; n >= 4; n -= 4, data += 4) {
    crc ^= byte_at(data) << 24 | byte_at(data + 1) << 16 | byte_at(data + 2) << 8 | byte_at(data + 3);
    crc = kTables[3][crc >> 24] ^ kTables[2][crc >> 16 & 0xFF] ^ kTables[1][crc >> 8 & 0xFF] ^ kTables[0][crc & 0xFF];
  }
  for (; n > 0; --n, ++data) crc = crc << 8 ^ kTables[0][crc >> 24 ^ byte_at(data)];
  return crc;
}

[[noreturn]] void refuse(int64_t at, const std::string& why) {
  throw std::runtime_error("the Ogg file is damaged or cut off: at byte " + std::to_string(at) + ": " + why);
}

struct Page {
  uint8_t flags;
  int64_t position;  ///< of the sound, in samples; 0 in front of it
  uint32_t stream, number, checksum;
  int64_t header_bytes, bytes;
};

/// The page at a place; refuses one that is not all there.
Page page_at(ByteSource& bytes, int64_t at, std::vector<std::byte>& buffer) {
  const int64_t left = bytes.size() - at;
  if (left < kHeaderBytes) refuse(at, "the header of a page is not all there");
  const std::byte* header = bytes.bytes(at, std::min(left, kHeaderBytes + kMostSegments), buffer);
  if (std::memcmp(header, "OggS", 5) != 0) refuse(at, "there is no page");
  const int64_t segments = byte_at(header + 26);
  Page page{stored_number<uint8_t>(header + 5),
            stored_number<int64_t>(header + 6),
            stored_number<uint32_t>(header + 14),
            stored_number<uint32_t>(header + 18),
            stored_number<uint32_t>(header + 22),
            kHeaderBytes + segments,
            kHeaderBytes + segments};
  if (page.header_bytes > left) refuse(at, "the header of a page is not all there");
  for (int64_t i = 0; i < segments; ++i) page.bytes += byte_at(header + kHeaderBytes + i);
  if (page.bytes > left)
    refuse(at, "a page of " + std::to_string(page.bytes) + " bytes, of which " + std::to_string(left) + " are there");
  return page;
}

void check_sum(ByteSource& bytes, int64_t at, const Page& page, std::vector<std::byte>& buffer) {
  constexpr std::array<std::byte, 4> kNone{};
  const std::byte* data = bytes.bytes(at, page.bytes, buffer);
  uint32_t found = checksum(0, data, 22);
  found = checksum(found, kNone.data(), 4);
  found = checksum(found, data + 26, page.bytes - 26);
  if (found != page.checksum) refuse(at, "the checksum of a page is wrong");
}

}  // namespace

bool is_ogg(ByteSource& bytes) {
  std::vector<std::byte> buffer;
  return bytes.size() >= 4 && std::memcmp(bytes.bytes(0, 4, buffer), "OggS", 4) == 0;
}

void require_whole_ogg(ByteSource& bytes, bool thoroughly) {
  std::map<uint32_t, uint32_t> open;  // streams that have begun and not ended, with the number of the next page
  std::vector<std::byte> buffer;
  bool checks = true;
  int64_t at = 0;
  do {
    const Page page = page_at(bytes, at, buffer);
    if (page.flags & kFirst)
      open[page.stream] = page.number;
    else if (!open.contains(page.stream))
      refuse(at, "a page of a stream that has not begun, or has ended");
    if (open[page.stream]++ != page.number) refuse(at, "a page is missing before this one");
    checks = thoroughly || (checks && page.position == 0);
    if (checks) check_sum(bytes, at, page, buffer);
    if (page.flags & kLast) open.erase(page.stream);
    at += page.bytes;
  } while (!open.empty() || (bytes.size() - at >= 4 && std::memcmp(bytes.bytes(at, 4, buffer), "OggS", 4) == 0));
}

}  // namespace penstock
