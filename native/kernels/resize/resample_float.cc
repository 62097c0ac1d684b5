#include "kernels/resize/resample_float.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

#include "cpu/vectorize.h"

namespace penstock {
namespace {

constexpr int64_t kBlock = 256;

/// Writes `n` values as elements of type T, halves rounded away from zero.
template <typename T>
void store(std::byte* out, const float* value, int64_t n) {
  T* to = reinterpret_cast<T*>(out);
  run_wide([=]() PENSTOCK_INLINE {
    for (int64_t i = 0; i < n; ++i) {
      if constexpr (std::is_floating_point_v<T>) {
        to[i] = value[i];
      } else {
        constexpr float kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
        const float v = std::min(std::max(value[i], kLow), kHigh);
        to[i] = static_cast<T>(static_cast<int32_t>(v + (v < 0 ? -0.5f : 0.5f)));
      }
    }
  });
}

using Store = void (*)(std::byte*, const float*, int64_t);

Store store_of(DType dtype) {
  switch (dtype) {
    case DType::u8:
      return store<uint8_t>;
    case DType::i16:
      return store<int16_t>;
    case DType::u16:
      return store<uint16_t>;
    default:
      return store<float>;
  }
}

/// One pass over lines of pixels of `inner` elements, which are `in_stride` and `out_stride` elements apart.
struct LinePass {
  const AxisWeights& weights;
  int64_t origin;
  int64_t in_stride, out_stride;
  int64_t inner;
  Store store;
  int64_t item_bytes;
};

/// Pixels of many elements: the sum runs over whole pieces of pixels.
template <typename In>
void resample_wide(std::byte* out, const In* in, const LinePass& pass) {
  const int taps = pass.weights.taps;
  const int64_t stride = pass.in_stride;
  alignas(64) float sums[kBlock];
  float* sum = sums;
  for (int64_t x = 0; x < pass.weights.out(); ++x) {
    const In* window = in + (pass.weights.start[x] - pass.origin) * stride;
    const float* weight = pass.weights.weight.data() + x * taps;
    std::byte* to = out + x * pass.out_stride * pass.item_bytes;
    for (int64_t at = 0; at < pass.inner; at += kBlock, window += kBlock) {
      const int64_t n = std::min(kBlock, pass.inner - at);
      run_wide([=]() PENSTOCK_INLINE {
        for (int64_t i = 0; i < n; ++i) sum[i] = weight[0] * static_cast<float>(window[i]);
        for (int k = 1; k < taps; ++k)
          for (int64_t i = 0; i < n; ++i) sum[i] += weight[k] * static_cast<float>(window[k * stride + i]);
      });
      pass.store(to + at * pass.item_bytes, sums, n);
    }
  }
}

typedef float Float4 __attribute__((vector_size(16)));

PENSTOCK_INLINE inline Float4 load4(const float* from) {
  Float4 value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// Pixels of one to four adjacent elements, in a line that may be read a little past its end.
template <int kChannels>
void resample_narrow(std::byte* out, const float* line, const LinePass& pass) {
  constexpr int64_t kPixels = kBlock / 4;
  const int taps = pass.weights.taps;
  float sums[kBlock];
  float* to = sums;
  for (int64_t first = 0; first < pass.weights.out(); first += kPixels) {
    const int64_t count = std::min(kPixels, pass.weights.out() - first);
    const int32_t* start = pass.weights.start.data() + first;
    const float* weights = pass.weights.weight.data() + first * taps;
    const int64_t origin = pass.origin;
    run_wide([=]() PENSTOCK_INLINE {
      for (int64_t x = 0; x < count; ++x) {
        const float* window = line + (start[x] - origin) * kChannels;
        const float* weight = weights + x * taps;
        Float4 sum{};
        int k = 0;
        if constexpr (kChannels == 1) {  // four taps at a time
          for (; k + 4 <= taps; k += 4) sum += load4(weight + k) * load4(window + k);
          to[x] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
          for (; k < taps; ++k) to[x] += weight[k] * window[k];
        } else {  // a pixel, and what follows it, at a time
          for (; k < taps; ++k) sum += weight[k] * load4(window + k * kChannels);
          std::memcpy(to + x * kChannels, &sum, sizeof sum);
        }
      }
    });
    pass.store(out + first * kChannels * pass.item_bytes, sums, count * kChannels);
  }
}

struct Loop {
  int64_t count, in_stride, out_stride;
};

template <typename F>
void for_each_line(std::span<const Loop> loops, int64_t in, int64_t out, const F& f) {
  if (loops.empty()) return f(in, out);
  for (int64_t i = 0; i < loops[0].count; ++i)
    for_each_line(loops.subspan(1), in + i * loops[0].in_stride, out + i * loops[0].out_stride, f);
}

template <typename In>
void resample_lines(View out, const StridedView& in, int axis, const LinePass& pass, std::span<const Loop> loops,
                    float* line) {
  constexpr decltype(&resample_narrow<1>) narrow[] = {resample_narrow<1>, resample_narrow<2>, resample_narrow<3>,
                                                      resample_narrow<4>};
  const bool is_narrow = pass.inner <= 4 && pass.inner == pass.in_stride;
  const int64_t length = in.shape[axis] * pass.inner;
  for_each_line(loops, 0, 0, [&](int64_t in_at, int64_t out_at) {
    const In* from = reinterpret_cast<const In*>(in.data) + in_at;
    std::byte* to = out.data + out_at * pass.item_bytes;
    if (!is_narrow) return resample_wide(to, from, pass);
    run_wide([=]() PENSTOCK_INLINE {
      for (int64_t i = 0; i < length; ++i) line[i] = static_cast<float>(from[i]);
    });
    narrow[pass.inner - 1](to, line, pass);
  });
}

}  // namespace

StridedView strided(ConstView view) {
  StridedView result{view.data, view.dtype, view.shape, {}};
  for (int axis = 0; axis < view.shape.ndim; ++axis) result.stride[axis] = view.shape.volume(axis + 1, view.shape.ndim);
  return result;
}

void resample_axis(View out, const StridedView& in, int axis, const AxisWeights& weights, int64_t origin, float* line) {
  const int ndim = in.shape.ndim;
  const int64_t out_stride = out.shape.volume(axis + 1, ndim);
  LinePass pass{weights, origin, in.stride[axis], out_stride, 1, store_of(out.dtype), item_bytes(out.dtype)};
  int merged = ndim;  // axes from here on are one piece of memory
  while (merged - 1 > axis && in.stride[merged - 1] == pass.inner) pass.inner *= in.shape[--merged];
  std::array<Loop, kMaxDims> loops;
  size_t count = 0;
  for (int a = 0; a < merged; ++a)
    if (a != axis) loops[count++] = {in.shape[a], in.stride[a], out.shape.volume(a + 1, ndim)};
  const std::span<const Loop> outer(loops.data(), count);
  switch (in.dtype) {
    case DType::u8:
      return resample_lines<uint8_t>(out, in, axis, pass, outer, line);
    case DType::i16:
      return resample_lines<int16_t>(out, in, axis, pass, outer, line);
    case DType::u16:
      return resample_lines<uint16_t>(out, in, axis, pass, outer, line);
    default:
      return resample_lines<float>(out, in, axis, pass, outer, line);
  }
}

}  // namespace penstock
