#include "kernels/elements/convert.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "cpu/vectorize.h"
#include "kernels/bytes/stream.h"

#ifdef PENSTOCK_X86
#include <immintrin.h>
#endif

namespace penstock {
namespace {

template <typename T>
void copy_row(std::byte* out, const std::byte* in, int64_t n) {
  std::memcpy(out, in, n * sizeof(T));
}

template <typename T>
void stream_row(std::byte* out, const std::byte* in, int64_t n) {
  stream(out, in, n * sizeof(T));
}

template <typename To, typename From>
void round_row(std::byte* out, const std::byte* in, int64_t n) {
  To* to = reinterpret_cast<To*>(out);
  const From* from = reinterpret_cast<const From*>(in);
  run_wide([=]() PENSTOCK_INLINE {
    for (int64_t i = 0; i < n; ++i) to[i] = rounded<To>(from[i]);
  });
}

template <typename To, typename From>
void clamp_row(std::byte* out, const std::byte* in, int64_t n) {
  To* to = reinterpret_cast<To*>(out);
  const From* from = reinterpret_cast<const From*>(in);
  run_wide([=]() PENSTOCK_INLINE {
    for (int64_t i = 0; i < n; ++i) to[i] = clamped<To>(from[i]);
  });
}

#ifdef PENSTOCK_X86
PENSTOCK_AVX2 int64_t floats_to_halves(uint16_t* out, const float* in, int64_t n) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), _mm256_cvtps_ph(_mm256_loadu_ps(in + i), 0));
  return i;
}

PENSTOCK_AVX2 int64_t halves_to_floats(float* out, const uint16_t* in, int64_t n) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    _mm256_storeu_ps(out + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i))));
  return i;
}

// Not left to the compiler: what it makes of saturation and narrowing takes four times as long.
PENSTOCK_AVX2 int64_t floats_to_bytes(uint8_t* out, const float* in, int64_t n) {
  const __m256 top = _mm256_set1_ps(255), half = _mm256_set1_ps(half_away(0.0f));
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  int64_t i = 0;
  for (; i + 32 <= n; i += 32) {
    __m256i part[4];
    for (int k = 0; k < 4; ++k) {
      const __m256 positive = _mm256_max_ps(_mm256_loadu_ps(in + i + 8 * k), _mm256_setzero_ps());
      part[k] = _mm256_cvttps_epi32(_mm256_add_ps(_mm256_min_ps(positive, top), half));
    }
    const __m256i packed =
        _mm256_packus_epi16(_mm256_packs_epi32(part[0], part[1]), _mm256_packs_epi32(part[2], part[3]));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), _mm256_permutevar8x32_epi32(packed, order));
  }
  return i;
}

template <>
void round_row<uint8_t, float>(std::byte* out, const std::byte* in, int64_t n) {
  uint8_t* to = reinterpret_cast<uint8_t*>(out);
  const float* from = reinterpret_cast<const float*>(in);
  int64_t i = kHasAvx2 ? floats_to_bytes(to, from, n) : 0;
  for (; i < n; ++i) to[i] = rounded<uint8_t>(from[i]);
}

template <>
void round_row<Half, float>(std::byte* out, const std::byte* in, int64_t n) {
  Half* to = reinterpret_cast<Half*>(out);
  const float* from = reinterpret_cast<const float*>(in);
  int64_t i = kHasAvx2 ? floats_to_halves(&to->bits, from, n) : 0;
  for (; i < n; ++i) to[i] = to_half(from[i]);
}

template <>
void round_row<float, Half>(std::byte* out, const std::byte* in, int64_t n) {
  float* to = reinterpret_cast<float*>(out);
  const Half* from = reinterpret_cast<const Half*>(in);
  int64_t i = kHasAvx2 ? halves_to_floats(to, &from->bits, n) : 0;
  for (; i < n; ++i) to[i] = to_float(from[i]);
}
#endif

// Whole numbers become halves through floats, for the sake of the conversion instructions; what a float cannot hold
// exactly is infinite as a half.
template <typename From>
void halve_row(std::byte* out, const std::byte* in, int64_t n) {
  constexpr int64_t kBlock = 512;
  alignas(64) std::byte block[kBlock * sizeof(float)];
  for (int64_t done = 0; done < n; done += kBlock) {
    const int64_t count = std::min(kBlock, n - done);
    round_row<float, From>(block, in + done * sizeof(From), count);
    round_row<Half, float>(out + done * sizeof(Half), block, count);
  }
}

}  // namespace

ConvertRow rounding_conversion(DType to, DType from) {
  return visit(to, [&]<typename To>() {
    return visit(from, []<typename From>() -> ConvertRow {
      if constexpr (std::is_same_v<To, From>)
        return copy_row<To>;
      else if constexpr (std::is_same_v<To, Half> && std::is_integral_v<From>)
        return halve_row<From>;
      else
        return round_row<To, From>;
    });
  });
}

ConvertRow clamping_conversion(DType to, DType from) {
  return visit(from, [&]<typename From>() -> ConvertRow {
    if (to == from) return copy_row<From>;
    switch (to) {
      case DType::u8:
        return clamp_row<uint8_t, From>;
      case DType::f16:
        return clamp_row<Half, From>;
      case DType::f32:
        return clamp_row<float, From>;
      default:
        throw std::invalid_argument("only u8, f16 and f32 are converted to");
    }
  });
}

ConvertRow streaming_copy(DType dtype) {
  return visit(dtype, []<typename T>() -> ConvertRow { return stream_row<T>; });
}

void put_clamped(std::byte* element, DType to, float value) {
  visit(to, [&]<typename To>() {
    const To converted = clamped<To>(value);
    std::memcpy(element, &converted, sizeof(To));
  });
}

}  // namespace penstock
