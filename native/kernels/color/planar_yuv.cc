#include "kernels/color/planar_yuv.h"

#include <algorithm>

#include "cpu/vectorize.h"
#include "kernels/bytes/channels.h"
#include "kernels/color/planar_yuv_avx2.h"
#include "kernels/color/yuv_rows.h"

namespace penstock {
namespace {

constexpr int kMiddle = 128 << 4;  // of chroma, in sixteenths
constexpr YuvWeights kLimited = {9539, kYuvHalf - 256 * 9539, 13075, -3209, -6660, 16525, 8192, kYuvHalf, 8192};
constexpr YuvWeights kFull = {8192, kYuvHalf, 11485, -2819, -5850, 14516, 7035, kYuvHalf + (16 << kYuvBits), 7196};

/// Up to three rows of numbers and their weights.
struct Mix {
  const int16_t* row[3];
  int weight[3];
  int offset;
};

template <int kRows>
void mix_rows(uint8_t* out, const Mix& mix, int64_t n) {
  const int16_t *a = mix.row[0], *b = mix.row[1], *c = mix.row[2];
  const int wa = mix.weight[0], wb = mix.weight[1], wc = mix.weight[2], offset = mix.offset;
  run_wide([=]() PENSTOCK_INLINE {
    PENSTOCK_INDEPENDENT
    for (int64_t i = 0; i < n; ++i) {
      int sum = a[i] * wa + offset;
      if constexpr (kRows > 1) sum += b[i] * wb;
      if constexpr (kRows > 2) sum += c[i] * wc;
      out[i] = static_cast<uint8_t>(std::clamp(sum >> kYuvBits, 0, 255));
    }
  });
}

void luma_row(int16_t* out, const uint8_t* in, int64_t n) {
  run_wide([=]() PENSTOCK_INLINE {
    PENSTOCK_INDEPENDENT
    for (int64_t i = 0; i < n; ++i) out[i] = static_cast<int16_t>(in[i] << 4);
  });
}

/// One row of chroma at full width, in sixteenths around 0. `sums` has room for a number on both sides of a row.
void chroma_row(int16_t* out, const Plane& plane, int64_t y, const PlanarYuv& in, int16_t* sums) {
  const int64_t n = in.half_width ? in.width / 2 : in.width;
  const int64_t near = in.half_height ? y / 2 : y;
  const int64_t far = in.half_height ? std::clamp<int64_t>(near + (y % 2 ? 1 : -1), 0, in.height / 2 - 1) : y;
  const uint8_t *close = plane.data + near * plane.stride, *beyond = plane.data + far * plane.stride;
  int16_t* sum = sums + 1;
  run_wide([=]() PENSTOCK_INLINE {
    PENSTOCK_INDEPENDENT
    for (int64_t i = 0; i < n; ++i) sum[i] = static_cast<int16_t>(3 * close[i] + beyond[i]);
  });
  if (!in.half_width) {
    run_wide([=]() PENSTOCK_INLINE {
      PENSTOCK_INDEPENDENT
      for (int64_t i = 0; i < n; ++i) out[i] = static_cast<int16_t>(4 * sum[i] - kMiddle);
    });
    return;
  }
  sum[-1] = sum[0];
  sum[n] = sum[n - 1];
  run_wide([=]() PENSTOCK_INLINE {
    PENSTOCK_INDEPENDENT
    for (int64_t i = 0; i < n; ++i) {
      const int here = 3 * sum[i] - kMiddle;
      out[2 * i] = static_cast<int16_t>(here + sum[i - 1]);
      out[2 * i + 1] = static_cast<int16_t>(here + sum[i + 1]);
    }
  });
}

void mix_row(const YuvRows& rows, int64_t width, const YuvWeights& w, YuvTarget target) {
  uint8_t *first = rows.mixed, *second = first + width, *third = second + width;
  if (target == YuvTarget::ycbcr) {
    const int offset = kYuvHalf + (128 << kYuvBits);
    mix_rows<1>(first, {{rows.y}, {w.room_luma}, w.room_offset}, width);
    mix_rows<1>(second, {{rows.u}, {w.room_chroma}, offset}, width);
    mix_rows<1>(third, {{rows.v}, {w.room_chroma}, offset}, width);
    return;
  }
  int64_t done = 0;
#ifdef PENSTOCK_X86
  if (kHasAvx2) done = mix_rgb_avx2(rows, width, w);
#endif
  const int16_t *y = rows.y + done, *u = rows.u + done, *v = rows.v + done;
  mix_rows<2>(first + done, {{y, v}, {w.luma, w.v_red}, w.offset}, width - done);
  mix_rows<3>(second + done, {{y, u, v}, {w.luma, w.u_green, w.v_green}, w.offset}, width - done);
  mix_rows<2>(third + done, {{y, u}, {w.luma, w.u_blue}, w.offset}, width - done);
}

}  // namespace

void yuv_to_pixels(uint8_t* out, const PlanarYuv& in, YuvTarget target, Scratch& scratch) {
  const int64_t width = in.width;
  const YuvWeights& weights = in.full_range ? kFull : kLimited;
  int16_t* numbers = scratch.array<int16_t>(0, 4 * width + 2);
  const YuvRows rows = {numbers, numbers + width, numbers + 2 * width, numbers + 3 * width,
                        scratch.array<uint8_t>(1, 3 * width)};
  for (int64_t y = 0; y < in.height; ++y) {
    luma_row(rows.y, in.y.data + y * in.y.stride, width);
    if (target == YuvTarget::gray) {
      mix_rows<1>(out + y * width, {{rows.y}, {weights.luma}, weights.offset}, width);
      continue;
    }
    chroma_row(rows.u, in.u, y, in, rows.sums);
    chroma_row(rows.v, in.v, y, in, rows.sums);
    mix_row(rows, width, weights, target);
    join_channels(reinterpret_cast<std::byte*>(out + 3 * y * width), reinterpret_cast<const std::byte*>(rows.mixed),
                  width, width, 3, 1);
  }
}

}  // namespace penstock
