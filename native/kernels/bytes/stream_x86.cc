#include "kernels/bytes/stream_x86.h"

#ifdef PENSTOCK_X86

#include <immintrin.h>

#include <algorithm>
#include <cstring>

namespace penstock {
namespace {

// Only whole lines go past the caches: half a line is written to memory by itself.
constexpr int64_t kLine = 64, kAhead = 2048;

}  // namespace

PENSTOCK_AVX2 void stream_avx2(std::byte* out, const std::byte* in, int64_t bytes) {
  int64_t i = std::min<int64_t>(-reinterpret_cast<intptr_t>(out) & (kLine - 1), bytes);
  std::memcpy(out, in, i);
  for (; i + kLine <= bytes; i += kLine) {
    const auto* from = reinterpret_cast<const __m256i*>(in + i);
    auto* to = reinterpret_cast<__m256i*>(out + i);
    __builtin_prefetch(in + i + kAhead);
    const __m256i first = _mm256_loadu_si256(from), second = _mm256_loadu_si256(from + 1);
    _mm256_stream_si256(to, first);
    _mm256_stream_si256(to + 1, second);
  }
  std::memcpy(out + i, in + i, bytes - i);
}

// Half as many stores wait for a way out while the next row is made.
PENSTOCK_AVX512 void stream_avx512(std::byte* out, const std::byte* in, int64_t bytes) {
  int64_t i = std::min<int64_t>(-reinterpret_cast<intptr_t>(out) & (kLine - 1), bytes);
  if (i) std::memcpy(out, in, i);
  for (; i + kLine <= bytes; i += kLine) {
    __builtin_prefetch(in + i + kAhead);
    _mm512_stream_si512(reinterpret_cast<__m512i*>(out + i), _mm512_loadu_si512(in + i));
  }
  if (i < bytes) std::memcpy(out + i, in + i, bytes - i);
}

PENSTOCK_AVX2 void stream_zeros_avx2(std::byte* out, int64_t bytes) {
  int64_t i = std::min<int64_t>(-reinterpret_cast<intptr_t>(out) & (kLine - 1), bytes);
  std::memset(out, 0, i);
  for (; i + kLine <= bytes; i += kLine) {
    auto* to = reinterpret_cast<__m256i*>(out + i);
    _mm256_stream_si256(to, _mm256_setzero_si256());
    _mm256_stream_si256(to + 1, _mm256_setzero_si256());
  }
  std::memset(out + i, 0, bytes - i);
}

void store_fence() { _mm_sfence(); }

}  // namespace penstock

#endif
