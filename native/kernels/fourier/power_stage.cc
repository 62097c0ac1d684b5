#include "kernels/fourier/fft_butterflies.h"
#include "kernels/fourier/power_unfold.h"

namespace penstock {
namespace {

/// Where squared magnitudes go, and what they are made with.
struct PowerRows {
  float* out;
  int64_t step, bins;  // of the transform
  const Twiddle* twiddles;

  template <int kWidth>
  PENSTOCK_INLINE void store(int64_t bin, const Element<kWidth>& near, const Element<kWidth>& far, int64_t at) const {
    using Stored = typename Element<kWidth>::Stored;
    typename Element<kWidth>::Vector low, high;
    unfold(low, high, near.re, near.im, far.re, far.im, twiddles[bin]);
    *reinterpret_cast<Stored*>(out + bin * step + at) = low;
    *reinterpret_cast<Stored*>(out + (bins - bin) * step + at) = high;
  }
};

/// The butterfly of elements number `from + j * stride`, whose results are the bins number `from + k * stride`.
template <int kRadix, int kWidth>
PENSTOCK_INLINE inline void last_butterfly(Element<kWidth>* x, Planes in, int64_t from, int64_t stride, int64_t lanes,
                                           int64_t at) {
  unrolled<kRadix>([&](auto j) PENSTOCK_INLINE {
    const int64_t place = (from + j * stride) * lanes + at;
    x[j].load(in.re + place, in.im + place);
  });
  Butterfly<kRadix>::run(x);
}

/// Bins k and n - k are needed together: those of one butterfly with those of another, but for one or two of them.
template <int kRadix, int kWidth>
PENSTOCK_INLINE inline void power_butterflies(const PowerRows& rows, Planes in, int64_t stride, int64_t lanes,
                                              int64_t at, const Upcoming& upcoming) {
  Element<kWidth> near[kRadix], far[kRadix];
  last_butterfly<kRadix>(near, in, 0, stride, lanes, at);
  rows.store(0, near[0], near[0], at);
  unrolled<kRadix / 2>([&](auto k)
                           PENSTOCK_INLINE { rows.store((k + 1) * stride, near[k + 1], near[kRadix - 1 - k], at); });
  for (int64_t from = 1; from < stride - from; ++from) {
    upcoming.prefetch(from - 1, (stride - 1) / 2);
    last_butterfly<kRadix>(near, in, from, stride, lanes, at);
    last_butterfly<kRadix>(far, in, stride - from, stride, lanes, at);
    unrolled<(kRadix + 1) / 2>(
        [&](auto k) PENSTOCK_INLINE { rows.store(from + k * stride, near[k], far[kRadix - 1 - k], at); });
    unrolled<kRadix / 2>(
        [&](auto k) PENSTOCK_INLINE { rows.store(stride - from + k * stride, far[k], near[kRadix - 1 - k], at); });
  }
  if (stride % 2 == 0) {
    last_butterfly<kRadix>(near, in, stride / 2, stride, lanes, at);
    unrolled<(kRadix + 1) / 2>(
        [&](auto k) PENSTOCK_INLINE { rows.store(stride / 2 + k * stride, near[k], near[kRadix - 1 - k], at); });
  }
}

template <int kRadix, int kWidth>
PENSTOCK_INLINE inline void power_lanes(const PowerRows& rows, Planes in, int64_t stride, int64_t lanes,
                                        const Upcoming& upcoming) {
  for (int64_t at = 0; at < lanes; at += kWidth)
    power_butterflies<kRadix, kWidth>(rows, in, stride, lanes, at, at ? Upcoming{} : upcoming);
}

}  // namespace

void run_power_stage(const FftStage& stage, float* out, int64_t out_step, Planes in, const Twiddle* twiddles,
                     int64_t lanes, const Upcoming& upcoming) {
  const PowerRows rows{out, out_step, stage.radix * stage.stride, twiddles};
  run_vectors([radix = stage.radix, stride = stage.stride, rows, in, lanes, upcoming]<int kWidth>() PENSTOCK_INLINE {
    for_radix(radix, [&](auto each) PENSTOCK_INLINE { power_lanes<each, kWidth>(rows, in, stride, lanes, upcoming); });
  });
}

}  // namespace penstock
