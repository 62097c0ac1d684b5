#include "kernels/bytes/reverse_avx512.h"

#ifdef PENSTOCK_X86

#include <immintrin.h>

namespace penstock {
namespace {

// As many pieces as fit into 64 bytes, turned around; they are loaded so that they end where the load ends.
template <int kBytes>
struct WideTurn {
  static constexpr int kPieces = 64 / kBytes, kSlack = 64 % kBytes;
  alignas(64) int8_t from[64];
  constexpr WideTurn() : from() {
    for (int i = 0; i < 64; ++i) {
      const int piece = kPieces - 1 - i / kBytes;
      from[i] = piece < 0 ? int8_t{0} : static_cast<int8_t>(kSlack + piece * kBytes + i % kBytes);
    }
  }
};

}  // namespace

template <int kBytes>
PENSTOCK_AVX512_VNNI void reverse_avx512(std::byte* out, const std::byte* in, int64_t n) {
  static constexpr WideTurn<kBytes> turn;
  const __m512i order = _mm512_load_si512(turn.from);
  const std::byte* end = in + n * kBytes;
  // What a store writes beyond its pieces, the next one overwrites.
  for (; n > turn.kPieces; n -= turn.kPieces) {
    const __m512i pieces = _mm512_loadu_si512(end - 64);
    _mm512_storeu_si512(out, _mm512_permutexvar_epi8(order, pieces));
    end -= turn.kPieces * kBytes;
    out += turn.kPieces * kBytes;
  }
  const int64_t bytes = n * kBytes;
  if (!bytes) return;
  const __mmask64 all = ~__mmask64{0};
  const __m512i pieces = _mm512_maskz_loadu_epi8(all << (64 - bytes), end - 64);
  _mm512_mask_storeu_epi8(out, all >> (64 - bytes), _mm512_permutexvar_epi8(order, pieces));
}

template void reverse_avx512<1>(std::byte*, const std::byte*, int64_t);
template void reverse_avx512<2>(std::byte*, const std::byte*, int64_t);
template void reverse_avx512<3>(std::byte*, const std::byte*, int64_t);
template void reverse_avx512<4>(std::byte*, const std::byte*, int64_t);
template void reverse_avx512<6>(std::byte*, const std::byte*, int64_t);
template void reverse_avx512<8>(std::byte*, const std::byte*, int64_t);

}  // namespace penstock

#endif
