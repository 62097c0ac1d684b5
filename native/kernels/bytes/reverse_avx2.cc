#include "kernels/bytes/reverse_avx2.h"

#ifdef PENSTOCK_X86

#include <immintrin.h>

namespace penstock {
namespace {

// As many pieces as fit into 16 bytes, turned around; they are loaded so that they end where the load ends.
template <int kBytes>
struct Turn {
  static constexpr int kPieces = 16 / kBytes, kSlack = 16 % kBytes;
  alignas(16) int8_t from[16];
  constexpr Turn() : from() {
    for (int i = 0; i < 16; ++i) {
      const int piece = kPieces - 1 - i / kBytes;
      from[i] = piece < 0 ? int8_t{-1} : static_cast<int8_t>(kSlack + piece * kBytes + i % kBytes);
    }
  }
};

}  // namespace

template <int kBytes>
PENSTOCK_AVX2 int64_t reverse_avx2(std::byte* out, const std::byte* in, int64_t n) {
  static constexpr Turn<kBytes> turn;
  const __m128i shuffle = _mm_load_si128(reinterpret_cast<const __m128i*>(turn.from));
  int64_t i = 0;
  for (; i + turn.kPieces < n; i += turn.kPieces) {
    const std::byte* from = in + (n - turn.kPieces - i) * kBytes - turn.kSlack;
    const __m128i pieces = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i * kBytes), _mm_shuffle_epi8(pieces, shuffle));
  }
  return i;
}

template int64_t reverse_avx2<1>(std::byte*, const std::byte*, int64_t);
template int64_t reverse_avx2<2>(std::byte*, const std::byte*, int64_t);
template int64_t reverse_avx2<3>(std::byte*, const std::byte*, int64_t);
template int64_t reverse_avx2<4>(std::byte*, const std::byte*, int64_t);
template int64_t reverse_avx2<6>(std::byte*, const std::byte*, int64_t);
template int64_t reverse_avx2<8>(std::byte*, const std::byte*, int64_t);

}  // namespace penstock

#endif
