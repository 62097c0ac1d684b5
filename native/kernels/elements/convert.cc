#include "kernels/elements/convert.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "cpu/vectorize.h"
#include "kernels/bytes/stream.h"
#include "kernels/elements/convert_avx2.h"
#include "kernels/elements/convert_neon.h"

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

#if defined(PENSTOCK_X86) || defined(PENSTOCK_NEON)
#ifdef PENSTOCK_X86
int64_t floats_to_bytes(uint8_t* out, const float* in, int64_t n) {
  return kHasAvx2 ? floats_to_bytes_avx2(out, in, n) : 0;
}
int64_t floats_to_halves(uint16_t* out, const float* in, int64_t n) {
  return kHasAvx2 ? floats_to_halves_avx2(out, in, n) : 0;
}
int64_t halves_to_floats(float* out, const uint16_t* in, int64_t n) {
  return kHasAvx2 ? halves_to_floats_avx2(out, in, n) : 0;
}
#else
constexpr auto floats_to_bytes = floats_to_bytes_neon;
constexpr auto floats_to_halves = floats_to_halves_neon;
constexpr auto halves_to_floats = halves_to_floats_neon;
#endif

template <>
void round_row<uint8_t, float>(std::byte* out, const std::byte* in, int64_t n) {
  uint8_t* to = reinterpret_cast<uint8_t*>(out);
  const float* from = reinterpret_cast<const float*>(in);
  int64_t i = floats_to_bytes(to, from, n);
  for (; i < n; ++i) to[i] = rounded<uint8_t>(from[i]);
}

template <>
void round_row<Half, float>(std::byte* out, const std::byte* in, int64_t n) {
  Half* to = reinterpret_cast<Half*>(out);
  const float* from = reinterpret_cast<const float*>(in);
  int64_t i = floats_to_halves(&to->bits, from, n);
  for (; i < n; ++i) to[i] = to_half(from[i]);
}

template <>
void round_row<float, Half>(std::byte* out, const std::byte* in, int64_t n) {
  float* to = reinterpret_cast<float*>(out);
  const Half* from = reinterpret_cast<const Half*>(in);
  int64_t i = halves_to_floats(to, &from->bits, n);
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
