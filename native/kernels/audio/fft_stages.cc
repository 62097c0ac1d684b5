#include "kernels/audio/fft_stages.h"

#include <cmath>
#include <numbers>

#include "cpu/target_clones.h"
#include "cpu/vectorize.h"

namespace penstock {
namespace {

/// Stores element k of a butterfly, turned unless it is the first one, whose angles are all zero.
template <bool kTwiddled>
PENSTOCK_INLINE inline void put(const Planes& out, int64_t at, float re, float im, Twiddle twiddle) {
  out.re[at] = kTwiddled ? re * twiddle.re - im * twiddle.im : re;
  out.im[at] = kTwiddled ? re * twiddle.im + im * twiddle.re : im;
}

template <int kRadix>
struct Butterfly;

template <>
struct Butterfly<2> {
  template <bool kTwiddled>
  PENSTOCK_INLINE static void run(Planes out, Planes in, int64_t to, int64_t from, int64_t n, const Twiddle* twiddles) {
    const Twiddle twiddle = twiddles[0];
    PENSTOCK_INDEPENDENT
    for (int64_t i = 0; i < n; ++i) {
      const float ar = in.re[i], ai = in.im[i], br = in.re[i + from], bi = in.im[i + from];
      put<false>(out, i, ar + br, ai + bi, twiddle);
      put<kTwiddled>(out, i + to, ar - br, ai - bi, twiddle);
    }
  }
};

template <>
struct Butterfly<4> {
  template <bool kTwiddled>
  PENSTOCK_INLINE static void run(Planes out, Planes in, int64_t to, int64_t from, int64_t n, const Twiddle* twiddles) {
    const Twiddle first = twiddles[0], second = twiddles[1], third = twiddles[2];
    PENSTOCK_INDEPENDENT
    for (int64_t i = 0; i < n; ++i) {
      const float ar = in.re[i], ai = in.im[i], br = in.re[i + from], bi = in.im[i + from];
      const float cr = in.re[i + 2 * from], ci = in.im[i + 2 * from];
      const float dr = in.re[i + 3 * from], di = in.im[i + 3 * from];
      const float sr = ar + cr, si = ai + ci, tr = ar - cr, ti = ai - ci;
      const float ur = br + dr, ui = bi + di, vr = bi - di, vi = dr - br;
      put<false>(out, i, sr + ur, si + ui, first);
      put<kTwiddled>(out, i + to, tr + vr, ti + vi, first);
      put<kTwiddled>(out, i + 2 * to, sr - ur, si - ui, second);
      put<kTwiddled>(out, i + 3 * to, tr - vr, ti - vi, third);
    }
  }
};

/// An odd prime: elements j and kRadix - j go together, as do results k and kRadix - k.
template <int kRadix>
struct Butterfly {
  static constexpr int kHalf = kRadix / 2;
  struct Table {
    float cos[kHalf][kHalf], sin[kHalf][kHalf];
    Table() {
      for (int k = 0; k < kHalf; ++k)
        for (int j = 0; j < kHalf; ++j) {
          const Twiddle twiddle = twiddle_of((k + 1) * (j + 1), kRadix);
          cos[k][j] = twiddle.re;
          sin[k][j] = twiddle.im;
        }
    }
  };

  template <bool kTwiddled>
  PENSTOCK_INLINE static void run(Planes out, Planes in, int64_t to, int64_t from, int64_t n, const Twiddle* twiddles) {
    static const Table kShared;
    const Table table = kShared;
    PENSTOCK_INDEPENDENT
    for (int64_t i = 0; i < n; ++i) {
      float sum_re[kHalf], sum_im[kHalf], gap_re[kHalf], gap_im[kHalf];
      const float ar = in.re[i], ai = in.im[i];
      float total_re = ar, total_im = ai;
      for (int j = 0; j < kHalf; ++j) {
        const int64_t near = i + (j + 1) * from, far = i + (kRadix - 1 - j) * from;
        sum_re[j] = in.re[near] + in.re[far];
        sum_im[j] = in.im[near] + in.im[far];
        gap_re[j] = in.re[near] - in.re[far];
        gap_im[j] = in.im[near] - in.im[far];
        total_re += sum_re[j];
        total_im += sum_im[j];
      }
      put<false>(out, i, total_re, total_im, twiddles[0]);
      for (int k = 0; k < kHalf; ++k) {
        float even_re = ar, even_im = ai, odd_re = 0, odd_im = 0;
        for (int j = 0; j < kHalf; ++j) {
          even_re += table.cos[k][j] * sum_re[j];
          even_im += table.cos[k][j] * sum_im[j];
          odd_re -= table.sin[k][j] * gap_im[j];
          odd_im += table.sin[k][j] * gap_re[j];
        }
        put<kTwiddled>(out, i + (k + 1) * to, even_re + odd_re, even_im + odd_im, twiddles[k]);
        put<kTwiddled>(out, i + (kRadix - 1 - k) * to, even_re - odd_re, even_im - odd_im, twiddles[kRadix - 2 - k]);
      }
    }
  }
};

/// Stockham's order: what a butterfly takes from all over its transform, it leaves side by side.
template <int kRadix>
PENSTOCK_INLINE inline void butterflies(Planes out, Planes in, const FftStage& stage, int64_t lanes) {
  const Twiddle* twiddles = stage.twiddles.data();
  const int64_t n = stage.stride * lanes, from = stage.count * n;
  Butterfly<kRadix>::template run<false>(out, in, n, from, n, twiddles);
  for (int64_t p = 1; p < stage.count; ++p) {
    const Planes to{out.re + p * kRadix * n, out.im + p * kRadix * n};
    Butterfly<kRadix>::template run<true>(to, {in.re + p * n, in.im + p * n}, n, from, n, twiddles + p * (kRadix - 1));
  }
}

}  // namespace

Twiddle twiddle_of(int64_t k, int64_t n) {
  const double angle = 2 * std::numbers::pi * static_cast<double>(k % n) / static_cast<double>(n);
  return {static_cast<float>(std::cos(angle)), static_cast<float>(-std::sin(angle))};
}

PENSTOCK_CLONES void run_stage(const FftStage& stage, Planes out, Planes in, int64_t lanes) {
  switch (stage.radix) {
    case 2:
      return butterflies<2>(out, in, stage, lanes);
    case 3:
      return butterflies<3>(out, in, stage, lanes);
    case 4:
      return butterflies<4>(out, in, stage, lanes);
    case 5:
      return butterflies<5>(out, in, stage, lanes);
    case 7:
      return butterflies<7>(out, in, stage, lanes);
    case 11:
      return butterflies<11>(out, in, stage, lanes);
    default:
      return butterflies<13>(out, in, stage, lanes);
  }
}

}  // namespace penstock
