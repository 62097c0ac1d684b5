#include "kernels/audio/pcm.h"

#include <bit>
#include <cstring>
#include <stdexcept>

#include "cpu/vectorize.h"
#include "kernels/elements/convert.h"

namespace penstock {
namespace {

static_assert(std::endian::native == std::endian::little, "stored elements are copied as they are");

template <typename T>
PENSTOCK_INLINE inline T load_stored(const std::byte* in) {
  T value;
  std::memcpy(&value, in, sizeof value);
  return value;
}

/// An element with its first bit moved to the first of 32.
template <Pcm kKind>
PENSTOCK_INLINE inline int32_t leading_bits(const std::byte* in) {
  if constexpr (kKind == Pcm::u8)
    return static_cast<int32_t>((load_stored<uint8_t>(in) ^ 0x80u) << 24);
  else if constexpr (kKind == Pcm::i16)
    return static_cast<int32_t>(static_cast<uint32_t>(load_stored<uint16_t>(in)) << 16);
  else if constexpr (kKind == Pcm::i24)
    return static_cast<int32_t>(static_cast<uint32_t>(load_stored<uint16_t>(in)) << 8 |
                                static_cast<uint32_t>(load_stored<uint8_t>(in + 2)) << 24);
  else
    return load_stored<int32_t>(in);
}

template <Pcm kKind, typename To>
void decode_whole(To* out, const std::byte* in, int64_t n) {
  run_wide([=]() PENSTOCK_INLINE {
    for (int64_t i = 0; i < n; ++i) {
      const int32_t bits = leading_bits<kKind>(in + i * item_bytes(kKind));
      if constexpr (std::is_same_v<To, float>)
        out[i] = static_cast<float>(bits) * 0x1p-31f;
      else
        out[i] = static_cast<To>(bits >> (32 - 8 * sizeof(To)));
    }
  });
}

template <typename Stored>
void decode_floats(float* out, const std::byte* in, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = static_cast<float>(load_stored<Stored>(in + i * sizeof(Stored)));
}

template <Pcm kKind>
void decode_as(std::byte* out, DType to, const std::byte* in, int64_t n) {
  if (to == DType::i16)
    decode_whole<kKind>(reinterpret_cast<int16_t*>(out), in, n);
  else if (to == DType::i32)
    decode_whole<kKind>(reinterpret_cast<int32_t*>(out), in, n);
  else
    decode_whole<kKind>(reinterpret_cast<float*>(out), in, n);
}

/// `Sum` is exact for two channels of any type, which are by far the most frequent number.
template <typename T, typename Sum, int kChannels>
void mean_of_channels(T* out, const T* in, int several, int64_t frames) {
  const int channels = kChannels ? kChannels : several;
  Sum share = Sum{1} / static_cast<Sum>(channels);
  if constexpr (std::is_integral_v<T>) share = std::nextafter(share, Sum{0});  // halves are rounded towards zero
  run_wide([=]() PENSTOCK_INLINE {
    for (int64_t i = 0; i < frames; ++i) {
      Sum sum = 0;
      for (int c = 0; c < channels; ++c) sum += static_cast<Sum>(in[i * channels + c]);
      out[i] = rounded<T>(sum * share);
    }
  });
}

}  // namespace

void decode_pcm(std::byte* out, DType to, const std::byte* in, Pcm from, int64_t n) {
  switch (from) {
    case Pcm::u8:
      return decode_as<Pcm::u8>(out, to, in, n);
    case Pcm::i16:
      return decode_as<Pcm::i16>(out, to, in, n);
    case Pcm::i24:
      return decode_as<Pcm::i24>(out, to, in, n);
    case Pcm::i32:
      return decode_as<Pcm::i32>(out, to, in, n);
    case Pcm::f32:
      return decode_floats<float>(reinterpret_cast<float*>(out), in, n);
    case Pcm::f64:
      return decode_floats<double>(reinterpret_cast<float*>(out), in, n);
  }
}

int64_t find_nan(const float* in, int64_t n) {
  constexpr int64_t kBlock = 1024;
  for (int64_t start = 0; start < n; start += kBlock) {
    const int64_t end = start + kBlock < n ? start + kBlock : n;
    int found = 0;
    for (int64_t i = start; i < end; ++i) found |= in[i] != in[i];
    for (int64_t i = start; found && i < end; ++i)
      if (in[i] != in[i]) return i;
  }
  return n;
}

void mix_down(std::byte* out, DType dtype, const std::byte* in, int channels, int64_t frames) {
  const auto mix = [&]<typename T, typename Sum>() {
    const auto mean = channels == 2 ? mean_of_channels<T, Sum, 2> : mean_of_channels<T, Sum, 0>;
    mean(reinterpret_cast<T*>(out), reinterpret_cast<const T*>(in), channels, frames);
  };
  if (dtype == DType::i16)
    mix.operator()<int16_t, float>();
  else if (dtype == DType::i32)
    mix.operator()<int32_t, double>();
  else
    mix.operator()<float, float>();
}

void quantize(std::byte* out, DType to, const float* in, int64_t n) {
  const auto store = [=]<typename T>() {
    T* whole = reinterpret_cast<T*>(out);
    const float scale = static_cast<float>(full_scale(to));
    for (int64_t i = 0; i < n; ++i) whole[i] = rounded<T>(in[i] * scale);
  };
  to == DType::i16 ? store.operator()<int16_t>() : store.operator()<int32_t>();
}

}  // namespace penstock
