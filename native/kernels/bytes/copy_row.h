// Copies rows of small images, which are shorter than what a call of memcpy takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace penstock {

/// As std::memcpy, without a call where that would take longer than the copy.
inline void copy_row(std::byte* out, const std::byte* in, int64_t bytes) {
  constexpr int64_t kPiece = 16, kLongest = 256;
  if (bytes < kPiece || bytes > kLongest) {
    std::memcpy(out, in, bytes);
    return;
  }
  for (int64_t i = 0; i + kPiece < bytes; i += kPiece) std::memcpy(out + i, in + i, kPiece);
  std::memcpy(out + bytes - kPiece, in + bytes - kPiece, kPiece);
}

}  // namespace penstock
