#include "kernels/image/normalize_row.h"

#include <algorithm>
#include <stdexcept>

#include "cpu/vectorize.h"
#include "kernels/elements/convert.h"

namespace penstock {
namespace {

template <typename To, typename From, bool kInterleaved>
void normalize_row(std::byte* out, const std::byte* in, int64_t n, const float* mean, const float* inverse) {
  To* to = reinterpret_cast<To*>(out);
  const From* from = reinterpret_cast<const From*>(in);
  run_wide([=]() PENSTOCK_INLINE {
    const float m = mean[0], s = inverse[0];
    for (int64_t i = 0; i < n; ++i) {
      const float x = static_cast<float>(number(from[i]));
      to[i] = rounded<To>(kInterleaved ? (x - mean[i]) * inverse[i] : (x - m) * s);
    }
  });
}

// Halves go through floats in blocks, for the sake of the conversion instructions.
template <typename From, bool kInterleaved>
void normalize_to_halves(std::byte* out, const std::byte* in, int64_t n, const float* mean, const float* inverse) {
  constexpr int64_t kBlock = 512;
  static const ConvertRow convert = rounding_conversion(DType::f16, DType::f32);
  alignas(64) float block[kBlock];
  auto* floats = reinterpret_cast<std::byte*>(block);
  for (int64_t done = 0; done < n; done += kBlock) {
    const int64_t count = std::min(kBlock, n - done), channel = kInterleaved ? done : 0;
    normalize_row<float, From, kInterleaved>(floats, in + done * sizeof(From), count, mean + channel,
                                             inverse + channel);
    convert(out + done * sizeof(Half), floats, count);
  }
}

template <typename To, typename From>
RowNormalizer both() {
  if constexpr (std::is_same_v<To, Half>)
    return {normalize_to_halves<From, false>, normalize_to_halves<From, true>};
  else
    return {normalize_row<To, From, false>, normalize_row<To, From, true>};
}

template <typename To>
RowNormalizer to(DType from) {
  switch (from) {
    case DType::u8:
      return both<To, uint8_t>();
    case DType::u16:
      return both<To, uint16_t>();
    case DType::i16:
      return both<To, int16_t>();
    case DType::i32:
      return both<To, int32_t>();
    case DType::f16:
      return both<To, Half>();
    case DType::f32:
      return both<To, float>();
    default:
      throw std::invalid_argument("this input type is not normalised");
  }
}

}  // namespace

RowNormalizer row_normalizer(DType to_type, DType from) {
  switch (to_type) {
    case DType::u8:
      return to<uint8_t>(from);
    case DType::i8:
      return to<int8_t>(from);
    case DType::f16:
      return to<Half>(from);
    case DType::f32:
      return to<float>(from);
    default:
      throw std::invalid_argument("this output type is not normalised to");
  }
}

}  // namespace penstock
