// Samples an image at any coordinates, with interpolation: the kernel that all warps of images share.
#pragma once

#include <cstdint>

#include "kernels/array/axis_map.h"
#include "memory/view.h"

namespace penstock {

/// How pixels between pixels are made up.
enum class Lookup : uint8_t { nearest, linear, cubic, lanczos3 };

/// Pixels are looked up at most this many at a time.
constexpr int kSampleBlock = 256;

/// An image of `height` x `width` pixels, none of them missing, and what lies between and beyond its pixels.
struct SampledImage {
  const std::byte* data = nullptr;
  int64_t height = 0, width = 0, channels = 0;
  Border border = Border::pad;  // pad, edge, reflect_1001, reflect_101 or wrap
  const float* fill = nullptr;  // for every channel, what `pad` shows; in the range of the image's element type
};

/// Writes n pixels, up to kSampleBlock: pixel i is the image at x[i], y[i]. Whole numbers are the corners of pixels, so
/// the first one has its centre at 0.5, 0.5. Coordinates may be anything, even NaN.
using SampleRow = void (*)(const SampledImage& image, std::byte* out, const float* x, const float* y, int n);

/// The function for images like `in`, H, W, C: between element types that are the same, or of which one is float32; u8,
/// u16, i16, i32 and f32 only.
SampleRow sampler(DType out, const ConstView& in, Lookup lookup);

/// `value` in [0, high]; 0 for NaN.
inline float within(float value, float high) {
  const float low = value > 0 ? value : 0;
  return low < high ? low : high;
}

/// Float coordinates count pixels one by one only so far.
constexpr int64_t kMaxSampledExtent = int64_t{1} << 24;

}  // namespace penstock
