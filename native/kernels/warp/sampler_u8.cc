#include "kernels/warp/sampler_u8.h"

#include <algorithm>
#include <type_traits>

#include "cpu/newest.h"
#include "kernels/warp/blend_u8.h"
#include "kernels/warp/border_pixel.h"
#include "kernels/warp/sample_offsets.h"

namespace penstock {
namespace {

// Rounding to even would cost a slower conversion; weights are not negative, so adding a half will do.
PENSTOCK_INLINE inline void pack_weights(uint32_t* packed_across, uint32_t* packed_down, const float* across,
                                         const float* down, int n) {
  for (int i = 0; i < n; ++i) {
    const auto far = static_cast<int32_t>(across[i] * kAcross + 0.5f);
    const auto low = static_cast<int32_t>(down[i] * kDown + 0.5f);
    packed_across[i] = static_cast<uint32_t>((kAcross - far) | far << 8) * 0x10001u;
    packed_down[i] = static_cast<uint32_t>((kDown - low) | low << 16);
  }
}

template <int kChannels, typename Offset>
void interpolate_bytes(const SampledImage& image, std::byte* to, const float* x, const float* y, int n) {
  static const BlendRow blend_groups = blend_row(kChannels);
  const int64_t channels = kChannels ? kChannels : image.channels;
  const int64_t right = image.width > 1 ? channels : 0, below = image.height > 1 ? image.width * channels : 0;
  const int64_t last = image.height * image.width * channels - below - (kChannels ? kBlendReach : 2 * channels);
  auto* out = reinterpret_cast<uint8_t*>(to);
  const auto* data = reinterpret_cast<const uint8_t*>(image.data);
  SampleOffsets<Offset> offsets;
  uint32_t across[kSampleBlock], down[kSampleBlock];
  locate_linear(offsets, image, x, y, n, std::max<int64_t>(last, -1));
  newest<pack_weights>(across, down, offsets.across, offsets.down, n);
  const auto inside = [&](int from, int end) {
    int i = from;
    if constexpr (std::is_same_v<Offset, int32_t>)
      if (blend_groups)
        i += blend_groups(out + i * channels, data, below, offsets.offset + i, {across + i, down + i}, end - i);
    for (; i < end; ++i) {
      const uint8_t *upper = data + offsets.offset[i], *lower = upper + below;
      for (int64_t c = 0; c < channels; ++c)
        out[i * channels + c] = blend(upper + c, lower + c, right, across[i], down[i]);
    }
  };
  const auto fill = [&](int from, int end) { put_fill(image, out + from * channels, end - from); };
  for_runs(offsets, n, inside, fill, [&](int i) { put_linear_edge<uint8_t>(image, out + i * channels, x[i], y[i]); });
}

}  // namespace

SampleRow linear_u8_sampler(const Shape& hwc) {
  if (hwc.volume() > INT32_MAX) return interpolate_bytes<0, int64_t>;
  if (hwc[2] == 1) return interpolate_bytes<1, int32_t>;
  if (hwc[2] == 3) return interpolate_bytes<3, int32_t>;
  if (hwc[2] == 4) return interpolate_bytes<4, int32_t>;
  return interpolate_bytes<0, int32_t>;
}

}  // namespace penstock
