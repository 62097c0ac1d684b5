#include "kernels/warp/sampler.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "kernels/warp/border_pixel.h"
#include "kernels/warp/sample_offsets.h"
#include "kernels/warp/sampler_u8.h"
#include "kernels/warp/wide_interpolation.h"

namespace penstock {
namespace {

// kChannels is 0 where their number is known only at run time. An Offset of 64 bits is for images whose elements 32 do
// not number.
template <typename In, typename Out, int kChannels, typename Offset>
void take_nearest(const SampledImage& image, std::byte* to, const float* x, const float* y, int n) {
  const int64_t channels = kChannels ? kChannels : image.channels;
  auto* out = reinterpret_cast<Out*>(to);
  constexpr bool kMovesFour = std::is_same_v<In, Out> && kChannels * sizeof(In) == 3;
  const int64_t elements = image.height * image.width * channels;
  SampleOffsets<Offset> offsets;
  locate_nearest(offsets, image, x, y, n, kMovesFour ? std::max<int64_t>(elements - 4, -1) : elements);
  const auto inside = [&](int from, int end) {
    const auto* data = reinterpret_cast<const In*>(image.data);
    int i = from;
    // Four bytes are one move, three are two. The fourth is overwritten by the next pixel.
    if constexpr (kMovesFour)
      for (; i + 1 < end; ++i) std::memcpy(out + i * 3, data + offsets.offset[i], 4);
    for (; i < end; ++i) {
      const In* pixel = data + offsets.offset[i];
      if constexpr (std::is_same_v<In, Out> && kChannels)
        std::memcpy(out + i * channels, pixel, kChannels * sizeof(In));
      else
        for (int64_t c = 0; c < channels; ++c) out[i * channels + c] = rounded<Out>(pixel[c]);
    }
  };
  const auto fill = [&](int from, int end) { put_fill(image, out + from * channels, end - from); };
  for_runs(offsets, n, inside, fill, [&](int i) { put_nearest_edge<In>(image, out + i * channels, x[i], y[i]); });
}

/// A pixel of three or four floats; of three, what follows them in memory comes along.
typedef float FloatPixel __attribute__((vector_size(16)));

inline FloatPixel float_pixel(const float* from) {
  FloatPixel pixel;
  std::memcpy(&pixel, from, sizeof(pixel));
  return pixel;
}

template <typename In, typename Out, int kChannels, typename Offset>
void interpolate(const SampledImage& image, std::byte* to, const float* x, const float* y, int n) {
  const int64_t channels = kChannels ? kChannels : image.channels;
  const int64_t right = image.width > 1 ? channels : 0, below = image.height > 1 ? image.width * channels : 0;
  auto* out = reinterpret_cast<Out*>(to);
  constexpr bool kIsVector = std::is_same_v<In, float> && std::is_same_v<Out, float> && kChannels >= 3;
  // The last place from which a vector more to the right and below ends inside the image.
  [[maybe_unused]] const int64_t last_vector = image.height * image.width * channels - below - right - 4;
  SampleOffsets<Offset> offsets;
  locate_linear(offsets, image, x, y, n, std::numeric_limits<int64_t>::max());
  const auto* data = reinterpret_cast<const In*>(image.data);
  const auto put_one = [&](int i) {
    const In *upper = data + offsets.offset[i], *lower = upper + below;
    const float across = offsets.across[i], down = offsets.down[i];
    for (int64_t c = 0; c < channels; ++c) {
      const auto a = static_cast<float>(upper[c]), b = static_cast<float>(upper[c + right]);
      const auto d = static_cast<float>(lower[c]), e = static_cast<float>(lower[c + right]);
      const float high = a + (b - a) * across, low = d + (e - d) * across;
      out[i * channels + c] = rounded<Out>(high + (low - high) * down);
    }
  };
  const auto inside = [&](int from, int end) {
    int i = from;
    // The fourth of three floats is overwritten by the next pixel.
    if constexpr (kIsVector) {
      for (; i + 1 < end; ++i) {
        if (offsets.offset[i] > last_vector) {
          put_one(i);
          continue;
        }
        const float *upper = data + offsets.offset[i], *lower = upper + below;
        const FloatPixel a = float_pixel(upper), b = float_pixel(upper + right);
        const FloatPixel d = float_pixel(lower), e = float_pixel(lower + right);
        const FloatPixel high = a + (b - a) * offsets.across[i], low = d + (e - d) * offsets.across[i];
        const FloatPixel made = high + (low - high) * offsets.down[i];
        std::memcpy(out + i * channels, &made, sizeof(made));
      }
    }
    for (; i < end; ++i) put_one(i);
  };
  const auto fill = [&](int from, int end) { put_fill(image, out + from * channels, end - from); };
  for_runs(offsets, n, inside, fill, [&](int i) { put_linear_edge<In>(image, out + i * channels, x[i], y[i]); });
}

template <typename In, typename Out, int kChannels, typename Offset = int32_t>
SampleRow sampler_of(bool linear) {
  return linear ? interpolate<In, Out, kChannels, Offset> : take_nearest<In, Out, kChannels, Offset>;
}

template <typename In, typename Out, int kTaps>
void interpolate_widely(const SampledImage& image, std::byte* to, const float* x, const float* y, int n) {
  auto* out = reinterpret_cast<Out*>(to);
  for (int i = 0; i < n; ++i, out += image.channels) put_wide<kTaps, In>(image, out, x[i], y[i]);
}

template <typename In, typename Out>
SampleRow sampler_of(const Shape& hwc, Lookup lookup) {
  if (lookup == Lookup::cubic) return interpolate_widely<In, Out, 4>;
  if (lookup == Lookup::lanczos3) return interpolate_widely<In, Out, 6>;
  const bool linear = lookup == Lookup::linear;
  if (hwc.volume() > INT32_MAX) return sampler_of<In, Out, 0, int64_t>(linear);
  const int64_t channels = hwc[2];
  if (channels == 1) return sampler_of<In, Out, 1>(linear);
  if (channels == 3) return sampler_of<In, Out, 3>(linear);
  if (channels == 4) return sampler_of<In, Out, 4>(linear);
  return sampler_of<In, Out, 0>(linear);
}

template <typename In>
SampleRow sampler_from(DType out, const Shape& hwc, Lookup lookup) {
  if (out == DType::f32) return sampler_of<In, float>(hwc, lookup);
  return sampler_of<In, In>(hwc, lookup);
}

SampleRow sampler_from_float(DType out, const Shape& hwc, Lookup lookup) {
  switch (out) {
    case DType::u8:
      return sampler_of<float, uint8_t>(hwc, lookup);
    case DType::u16:
      return sampler_of<float, uint16_t>(hwc, lookup);
    case DType::i16:
      return sampler_of<float, int16_t>(hwc, lookup);
    case DType::i32:
      return sampler_of<float, int32_t>(hwc, lookup);
    default:
      return sampler_of<float, float>(hwc, lookup);
  }
}

}  // namespace

SampleRow sampler(DType out, const ConstView& in, Lookup lookup) {
  switch (in.dtype) {
    case DType::u8:
      if (out == DType::u8 && lookup == Lookup::linear) return linear_u8_sampler(in.shape);
      return sampler_from<uint8_t>(out, in.shape, lookup);
    case DType::u16:
      return sampler_from<uint16_t>(out, in.shape, lookup);
    case DType::i16:
      return sampler_from<int16_t>(out, in.shape, lookup);
    case DType::i32:
      return sampler_from<int32_t>(out, in.shape, lookup);
    default:
      return sampler_from_float(out, in.shape, lookup);
  }
}

}  // namespace penstock
