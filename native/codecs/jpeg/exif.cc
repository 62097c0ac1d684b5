#include "codecs/jpeg/exif.h"

#include <cstdint>
#include <cstring>

namespace penstock {
namespace {

// Numbers of a TIFF structure, in the byte order it announces. Reading beyond the end gives 0.
class Tiff {
 public:
  Tiff(std::span<const std::byte> bytes, bool big_endian) : bytes_(bytes), big_endian_(big_endian) {}

  uint32_t number(size_t at, int bytes) const {
    if (at + bytes > bytes_.size()) return 0;
    uint32_t value = 0;
    for (int i = 0; i < bytes; ++i) {
      const int byte = big_endian_ ? i : bytes - 1 - i;
      value = value << 8 | std::to_integer<uint32_t>(bytes_[at + byte]);
    }
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
  bool big_endian_;
};

}  // namespace

int exif_orientation(std::span<const std::byte> app1) {
  constexpr size_t kPrefix = 6, kEntry = 12;
  constexpr uint32_t kOrientation = 0x0112, kShort = 3, kLong = 4;
  if (app1.size() < kPrefix + 8 || std::memcmp(app1.data(), "Exif\0\0", kPrefix) != 0) return 0;
  const auto block = app1.subspan(kPrefix);
  const bool big_endian = std::memcmp(block.data(), "MM\0*", 4) == 0;
  if (!big_endian && std::memcmp(block.data(), "II*\0", 4) != 0) return 0;

  const Tiff tiff(block, big_endian);
  const size_t directory = tiff.number(4, 4);
  const size_t entries = tiff.number(directory, 2);
  if (directory + 2 + entries * kEntry > block.size()) return 0;
  for (size_t entry = directory + 2; entry < directory + 2 + entries * kEntry; entry += kEntry) {
    if (tiff.number(entry, 2) != kOrientation) continue;
    const uint32_t type = tiff.number(entry + 2, 2);
    const uint32_t value = type == kShort ? tiff.number(entry + 8, 2) : type == kLong ? tiff.number(entry + 8, 4) : 0;
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 0;
  }
  return 0;
}

}  // namespace penstock
