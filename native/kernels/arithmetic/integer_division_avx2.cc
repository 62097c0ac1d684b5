#include "kernels/arithmetic/integer_division_avx2.h"

#ifdef PENSTOCK_X86

#include <immintrin.h>

namespace penstock {
namespace {

// The lower halves of 64 bits are multiplied, so even elements first and then odd ones; compilers sort them into two
// vectors and back, which takes longer than dividing doubles.
template <bool kRemainders>
PENSTOCK_AVX2 inline int64_t divide_vectors(int32_t* out, const int32_t* in, const DivisionFactor& by, int64_t n) {
  const __m256i divisor = _mm256_set1_epi32(by.divisor), factor = _mm256_set1_epi32(by.factor);
  const __m256i sign = _mm256_set1_epi32(by.sign);
  const __m128i shift = _mm_cvtsi32_si128(by.shift);
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m256i a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + i));
    const __m256i even = _mm256_srli_epi64(_mm256_mul_epi32(a, factor), 32);
    const __m256i odd = _mm256_mul_epi32(_mm256_srli_epi64(a, 32), factor);
    const __m256i sum = _mm256_add_epi32(a, _mm256_blend_epi32(even, odd, 0xaa));
    const __m256i cut = _mm256_sub_epi32(_mm256_sra_epi32(sum, shift), _mm256_srai_epi32(a, 31));
    __m256i made = _mm256_sub_epi32(_mm256_xor_si256(cut, sign), sign);
    if constexpr (kRemainders) made = _mm256_sub_epi32(a, _mm256_mullo_epi32(made, divisor));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), made);
  }
  return i;
}

}  // namespace

PENSTOCK_AVX2 int64_t quotients_avx2(int32_t* out, const int32_t* in, const DivisionFactor& by, int64_t n) {
  return divide_vectors<false>(out, in, by, n);
}

PENSTOCK_AVX2 int64_t remainders_avx2(int32_t* out, const int32_t* in, const DivisionFactor& by, int64_t n) {
  return divide_vectors<true>(out, in, by, n);
}

}  // namespace penstock

#endif
