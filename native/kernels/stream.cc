#include "kernels/stream.h"

#include <algorithm>
#include <cstring>

#include "kernels/simd.h"

#ifdef PENSTOCK_X86
#include <immintrin.h>
#endif

namespace penstock {

#ifdef PENSTOCK_X86
namespace {

PENSTOCK_AVX2 void stream_avx2(std::byte* out, const std::byte* in, int64_t bytes) {
  const int64_t head = std::min<int64_t>(-reinterpret_cast<intptr_t>(out) & 31, bytes);
  std::memcpy(out, in, head);
  int64_t i = head;
  for (; i + 32 <= bytes; i += 32)
    _mm256_stream_si256(reinterpret_cast<__m256i*>(out + i),
                        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + i)));
  std::memcpy(out + i, in + i, bytes - i);
}

// Whole lines at once: half as many stores wait for a way out while the next row is made.
PENSTOCK_AVX512 void stream_avx512(std::byte* out, const std::byte* in, int64_t bytes) {
  const int64_t head = std::min<int64_t>(-reinterpret_cast<intptr_t>(out) & 63, bytes);
  if (head) std::memcpy(out, in, head);
  int64_t i = head;
  for (; i + 64 <= bytes; i += 64) _mm512_stream_si512(reinterpret_cast<__m512i*>(out + i), _mm512_loadu_si512(in + i));
  if (i < bytes) std::memcpy(out + i, in + i, bytes - i);
}

}  // namespace

void stream(std::byte* out, const std::byte* in, int64_t bytes) {
  if (kHasAvx512)
    stream_avx512(out, in, bytes);
  else if (kHasAvx2)
    stream_avx2(out, in, bytes);
  else
    std::memcpy(out, in, bytes);
}

void finish_streams() { _mm_sfence(); }
#else
void stream(std::byte* out, const std::byte* in, int64_t bytes) { std::memcpy(out, in, bytes); }

void finish_streams() {}
#endif

}  // namespace penstock
