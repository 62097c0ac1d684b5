#include "kernels/bytes/reverse_neon.h"

#ifdef PENSTOCK_NEON

#include <arm_neon.h>

namespace penstock {
namespace {

// As many pieces as fit into 16 bytes, turned around; they are loaded so that they end where the load ends.
template <int kBytes>
struct Turn {
  static constexpr int kPieces = 16 / kBytes, kSlack = 16 % kBytes;
  uint8_t from[16];
  constexpr Turn() : from() {
    for (int i = 0; i < 16; ++i) {
      const int piece = kPieces - 1 - i / kBytes;
      from[i] = piece < 0 ? uint8_t{0xFF} : static_cast<uint8_t>(kSlack + piece * kBytes + i % kBytes);
    }
  }
};

}  // namespace

template <int kBytes>
int64_t reverse_neon(std::byte* out, const std::byte* in, int64_t n) {
  static constexpr Turn<kBytes> turn;
  const uint8x16_t shuffle = vld1q_u8(turn.from);
  int64_t i = 0;
  for (; i + turn.kPieces < n; i += turn.kPieces) {
    const std::byte* from = in + (n - turn.kPieces - i) * kBytes - turn.kSlack;
    const uint8x16_t pieces = vld1q_u8(reinterpret_cast<const uint8_t*>(from));
    vst1q_u8(reinterpret_cast<uint8_t*>(out + i * kBytes), vqtbl1q_u8(pieces, shuffle));
  }
  return i;
}

template int64_t reverse_neon<1>(std::byte*, const std::byte*, int64_t);
template int64_t reverse_neon<2>(std::byte*, const std::byte*, int64_t);
template int64_t reverse_neon<3>(std::byte*, const std::byte*, int64_t);
template int64_t reverse_neon<4>(std::byte*, const std::byte*, int64_t);
template int64_t reverse_neon<6>(std::byte*, const std::byte*, int64_t);
template int64_t reverse_neon<8>(std::byte*, const std::byte*, int64_t);

}  // namespace penstock

#endif
