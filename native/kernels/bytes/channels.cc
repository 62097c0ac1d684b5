#include "kernels/bytes/channels.h"

#include <cstring>

#include "kernels/bytes/channels_avx2.h"
#include "kernels/bytes/channels_neon.h"

namespace penstock {
namespace {

template <int kItem>
void split(std::byte* out, int64_t plane, const std::byte* in, int64_t n, int64_t channels) {
  for (int64_t c = 0; c < channels; ++c)
    for (int64_t i = 0; i < n; ++i) std::memcpy(out + c * plane + i * kItem, in + (i * channels + c) * kItem, kItem);
}

template <int kItem>
void join(std::byte* out, const std::byte* in, int64_t plane, int64_t n, int64_t channels) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t c = 0; c < channels; ++c)
      std::memcpy(out + (i * channels + c) * kItem, in + c * plane + i * kItem, kItem);
}

}  // namespace

void split_channels(std::byte* out, int64_t plane, const std::byte* in, int64_t n, int64_t channels, int64_t item) {
  int64_t done = 0;
#ifdef PENSTOCK_X86
  if (channels == 3 && item == 1 && kHasAvx2) done = split_rgb_avx2(out, plane, in, n);
#elif defined(PENSTOCK_NEON)
  if (channels == 3 && item == 1) done = split_rgb_neon(out, plane, in, n);
#endif
  out += done * item;
  in += done * channels * item;
  switch (item) {
    case 1:
      return split<1>(out, plane, in, n - done, channels);
    case 2:
      return split<2>(out, plane, in, n - done, channels);
    case 4:
      return split<4>(out, plane, in, n - done, channels);
    default:
      return split<8>(out, plane, in, n - done, channels);
  }
}

void join_channels(std::byte* out, const std::byte* in, int64_t plane, int64_t n, int64_t channels, int64_t item) {
  int64_t done = 0;
#ifdef PENSTOCK_X86
  if (channels == 3 && item == 1 && kHasAvx2) done = join_rgb_avx2(out, in, plane, n);
#elif defined(PENSTOCK_NEON)
  if (channels == 3 && item == 1) done = join_rgb_neon(out, in, plane, n);
#endif
  out += done * channels * item;
  in += done * item;
  switch (item) {
    case 1:
      return join<1>(out, in, plane, n - done, channels);
    case 2:
      return join<2>(out, in, plane, n - done, channels);
    case 4:
      return join<4>(out, in, plane, n - done, channels);
    default:
      return join<8>(out, in, plane, n - done, channels);
  }
}

}  // namespace penstock
