#include "codecs/jpeg/unstuff.h"

#ifdef PENSTOCK_X86
#include <immintrin.h>

#include <array>

namespace penstock {
namespace {

constexpr int kBytes = 64;
constexpr auto kPlaces = [] {
  std::array<uint8_t, kBytes> places{};
  for (int i = 0; i < kBytes; ++i) places[i] = static_cast<uint8_t>(i);
  return places;
}();

}  // namespace

// One in five of such steps has a zero to leave out, which no branch tells; few have two.
PENSTOCK_AVX512_VNNI UnstuffedCopy copy_unstuffed_avx512(UnstuffedCopy copy, const uint8_t* end) {
  const __m512i zero = _mm512_setzero_si512(), one = _mm512_set1_epi8(1), ff = _mm512_set1_epi8(-1);
  const __m512i places = _mm512_loadu_si512(kPlaces.data());
  uint64_t is_first_stuffing = 0;  // of the next bytes
  while (end - copy.from > kBytes) {
    const __m512i bytes = _mm512_loadu_si512(copy.from);
    const uint64_t before = _mm512_cmpeq_epi8_mask(bytes, ff);
    const uint64_t zeros_behind = _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(copy.from + 1), zero);
    const uint64_t stuffing = before << 1 | is_first_stuffing;
    const bool has_marker = (before & ~zeros_behind) != 0, has_two = (stuffing & (stuffing - 1)) != 0;
    if (has_marker || has_two) break;
    const __mmask64 moved = 0 - stuffing;  // from the zero on
    const __m512i from = _mm512_mask_add_epi8(places, moved, places, one);
    _mm512_storeu_si512(copy.to, _mm512_permutexvar_epi8(from, bytes));
    copy.to += kBytes - (stuffing != 0);
    copy.from += kBytes;
    is_first_stuffing = before >> (kBytes - 1);
  }
  copy.from += is_first_stuffing;
  return copy;
}

}  // namespace penstock
#endif
