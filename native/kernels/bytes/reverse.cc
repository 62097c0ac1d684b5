#include "kernels/bytes/reverse.h"

#include <cstring>

#include "cpu/vectorize.h"

#ifdef PENSTOCK_X86
#include <immintrin.h>
#endif

namespace penstock {
namespace {

template <int kBytes>
void reverse_rest(std::byte* out, const std::byte* in, int64_t n, int64_t done) {
  for (int64_t i = done; i < n; ++i) std::memcpy(out + i * kBytes, in + (n - 1 - i) * kBytes, kBytes);
}

#ifdef PENSTOCK_X86
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
#endif

template <int kBytes>
void reverse_fixed(std::byte* out, const std::byte* in, int64_t n) {
  int64_t done = 0;
#ifdef PENSTOCK_X86
  if (kHasAvx2) done = reverse_avx2<kBytes>(out, in, n);
#endif
  reverse_rest<kBytes>(out, in, n, done);
}

}  // namespace

void reverse(std::byte* out, const std::byte* in, int64_t n, int64_t bytes) {
  switch (bytes) {
    case 1:
      return reverse_fixed<1>(out, in, n);
    case 2:
      return reverse_fixed<2>(out, in, n);
    case 3:
      return reverse_fixed<3>(out, in, n);
    case 4:
      return reverse_fixed<4>(out, in, n);
    case 6:
      return reverse_fixed<6>(out, in, n);
    case 8:
      return reverse_fixed<8>(out, in, n);
    case 12:
      return reverse_rest<12>(out, in, n, 0);
  }
  for (int64_t i = 0; i < n; ++i) std::memcpy(out + i * bytes, in + (n - 1 - i) * bytes, bytes);
}

}  // namespace penstock
