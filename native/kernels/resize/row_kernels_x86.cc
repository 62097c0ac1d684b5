#include "kernels/resize/row_kernels_x86.h"

#include "cpu/instruction_sets.h"

#ifdef PENSTOCK_X86

#include <immintrin.h>

#include <cstring>

namespace penstock {
namespace {

// Row 2r is in the low half and row 2r + 1 in the high half of sum[r]; both use the same weights and shuffle.
template <int kRows>
PENSTOCK_AVX2 void horizontal_avx2(int16_t* const* out, const uint8_t* const* in, const GroupedWeights& axis) {
  const __m128i count = _mm_cvtsi32_si128(axis.shift);
  const __m256i half = _mm256_set1_epi32(1 << (axis.shift - 1));
  const auto* weight = reinterpret_cast<const __m128i*>(axis.weight.data());
  const auto* shuffles = reinterpret_cast<const __m128i*>(axis.shuffle.data());
  const int step = 2 * axis.channels;
  int64_t to = 0;
  for (size_t g = 0; g < axis.offset.size(); ++g, to += axis.pixels * axis.channels) {
    const __m256i shuffle = _mm256_broadcastsi128_si256(_mm_loadu_si128(shuffles + g));
    __m256i sum[kRows / 2];
    for (__m256i& s : sum) s = half;
    int64_t from = axis.offset[g];
    for (int pair = 0; pair < axis.pairs; ++pair, from += step) {
      const __m256i w = _mm256_broadcastsi128_si256(_mm_loadu_si128(weight++));
      for (int r = 0; r < kRows / 2; ++r) {
        const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in[2 * r] + from));
        const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in[2 * r + 1] + from));
        const __m256i bytes = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
        sum[r] = _mm256_add_epi32(sum[r], _mm256_madd_epi16(_mm256_shuffle_epi8(bytes, shuffle), w));
      }
    }
    for (int r = 0; r < kRows / 2; ++r) {
      const __m256i v = _mm256_sra_epi32(sum[r], count);
      const __m256i words = _mm256_packs_epi32(v, v);
      _mm_storel_epi64(reinterpret_cast<__m128i*>(out[2 * r] + to), _mm256_castsi256_si128(words));
      _mm_storel_epi64(reinterpret_cast<__m128i*>(out[2 * r + 1] + to), _mm256_extracti128_si256(words, 1));
    }
  }
}

PENSTOCK_AVX2 void horizontal_avx2(std::span<int16_t* const> out, std::span<const uint8_t* const> in,
                                   const GroupedWeights& axis) {
  size_t r = 0;
  for (; r + 4 <= in.size(); r += 4) horizontal_avx2<4>(&out[r], &in[r], axis);
  for (; r < in.size(); r += 2) {
    const bool alone = r + 1 == in.size();
    int16_t* const to[] = {out[r], out[alone ? r : r + 1]};
    const uint8_t* const from[] = {in[r], in[alone ? r : r + 1]};
    horizontal_avx2<2>(to, from, axis);
  }
}

PENSTOCK_AVX2 void vertical_avx2(uint8_t* out, std::span<const int16_t* const> rows, const int16_t* weight, int shift,
                                 int64_t n) {
  const __m128i count = _mm_cvtsi32_si128(shift);
  const __m256i half = _mm256_set1_epi32(1 << (shift - 1));
  for (int64_t x = 0; x < n; x += 32) {
    __m256i sum[4] = {half, half, half, half};
    for (size_t k = 0; k < rows.size(); k += 2) {
      int32_t pair;
      std::memcpy(&pair, weight + k, sizeof pair);
      const __m256i w = _mm256_set1_epi32(pair);
      const auto* a = reinterpret_cast<const __m256i*>(rows[k] + x);
      const auto* b = reinterpret_cast<const __m256i*>(rows[k + 1] + x);
      for (int i = 0; i < 2; ++i) {
        const __m256i even = _mm256_load_si256(a + i);
        const __m256i odd = _mm256_load_si256(b + i);
        sum[2 * i] = _mm256_add_epi32(sum[2 * i], _mm256_madd_epi16(_mm256_unpacklo_epi16(even, odd), w));
        sum[2 * i + 1] = _mm256_add_epi32(sum[2 * i + 1], _mm256_madd_epi16(_mm256_unpackhi_epi16(even, odd), w));
      }
    }
    for (__m256i& s : sum) s = _mm256_sra_epi32(s, count);
    const __m256i bytes = _mm256_packus_epi16(_mm256_packs_epi32(sum[0], sum[1]), _mm256_packs_epi32(sum[2], sum[3]));
    const __m256i ordered = _mm256_permute4x64_epi64(bytes, 0xD8);
    if (n - x >= 32) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + x), ordered);
    } else {
      alignas(32) uint8_t rest[32];
      _mm256_store_si256(reinterpret_cast<__m256i*>(rest), ordered);
      std::memcpy(out + x, rest, n - x);
    }
  }
}

template <int kRows>
PENSTOCK_AVX512_VNNI void horizontal_avx512(int16_t* const* out, const uint8_t* const* in, const GroupedWeights& axis) {
  constexpr __mmask64 kEvenBytes = 0x5555555555555555;
  const __m128i count = _mm_cvtsi32_si128(axis.shift);
  const __m512i half = _mm512_set1_epi32(1 << (axis.shift - 1));
  const int16_t* weight = axis.weight.data();
  const int step = 2 * axis.channels;
  int64_t to = 0;
  for (size_t g = 0; g < axis.offset.size(); ++g, to += axis.pixels * axis.channels) {
    const __m512i shuffle = _mm512_loadu_si512(axis.shuffle.data() + 64 * g);
    __m512i sum[kRows];
    for (__m512i& s : sum) s = half;
    int64_t from = axis.offset[g];
    for (int pair = 0; pair < axis.pairs; ++pair, from += step, weight += 32) {
      const __m512i w = _mm512_loadu_si512(weight);
      for (int r = 0; r < kRows; ++r) {
        const __m512i words = _mm512_maskz_permutexvar_epi8(kEvenBytes, shuffle, _mm512_loadu_si512(in[r] + from));
        sum[r] = _mm512_dpwssd_epi32(sum[r], words, w);
      }
    }
    for (int r = 0; r < kRows; ++r) {
      const __m256i words = _mm512_cvtsepi32_epi16(_mm512_sra_epi32(sum[r], count));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out[r] + to), words);
    }
  }
}

PENSTOCK_AVX512_VNNI void horizontal_avx512(std::span<int16_t* const> out, std::span<const uint8_t* const> in,
                                            const GroupedWeights& axis) {
  size_t r = 0;
  for (; r + 4 <= in.size(); r += 4) horizontal_avx512<4>(&out[r], &in[r], axis);
  for (; r < in.size(); ++r) horizontal_avx512<1>(&out[r], &in[r], axis);
}

PENSTOCK_AVX512_VNNI void vertical_avx512(uint8_t* out, std::span<const int16_t* const> rows, const int16_t* weight,
                                          int shift, int64_t n) {
  const __m128i count = _mm_cvtsi32_si128(shift);
  const __m512i half = _mm512_set1_epi32(1 << (shift - 1));
  const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
  for (int64_t x = 0; x < n; x += 64) {
    __m512i sum[4] = {half, half, half, half};
    for (size_t k = 0; k < rows.size(); k += 2) {
      int32_t pair;
      std::memcpy(&pair, weight + k, sizeof pair);
      const __m512i w = _mm512_set1_epi32(pair);
      for (int i = 0; i < 2; ++i) {
        const __m512i even = _mm512_load_si512(rows[k] + x + 32 * i);
        const __m512i odd = _mm512_load_si512(rows[k + 1] + x + 32 * i);
        sum[2 * i] = _mm512_dpwssd_epi32(sum[2 * i], _mm512_unpacklo_epi16(even, odd), w);
        sum[2 * i + 1] = _mm512_dpwssd_epi32(sum[2 * i + 1], _mm512_unpackhi_epi16(even, odd), w);
      }
    }
    for (__m512i& s : sum) s = _mm512_sra_epi32(s, count);
    const __m512i bytes = _mm512_packus_epi16(_mm512_packs_epi32(sum[0], sum[1]), _mm512_packs_epi32(sum[2], sum[3]));
    const __mmask64 inside = n - x >= 64 ? ~__mmask64{0} : (__mmask64{1} << (n - x)) - 1;
    _mm512_mask_storeu_epi8(out + x, inside, _mm512_permutexvar_epi64(order, bytes));
  }
}

}  // namespace

std::vector<RowKernels> x86_row_kernels() {
  std::vector<RowKernels> usable;
  if (kHasAvx512Vnni) usable.push_back({"avx512", 16, horizontal_avx512, vertical_avx512});
  if (kHasAvx2) usable.push_back({"avx2", 4, horizontal_avx2, vertical_avx2});
  return usable;
}

}  // namespace penstock

#else

namespace penstock {

std::vector<RowKernels> x86_row_kernels() { return {}; }

}  // namespace penstock

#endif
