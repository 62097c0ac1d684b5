#include "kernels/fourier/fft_stages.h"

#include <cmath>
#include <numbers>

#include "kernels/fourier/fft_butterflies.h"
#include "kernels/fourier/lines.h"

namespace penstock {
namespace {

/// One butterfly of kWidth signals. Its elements are `from` floats apart, its results `to`.
template <int kRadix, bool kTwiddled, int kWidth>
PENSTOCK_INLINE inline void butterfly(Planes out, int64_t to, Planes in, int64_t from, int64_t at,
                                      const Twiddle* twiddles) {
  Element<kWidth> x[kRadix];
  unrolled<kRadix>([&](auto j) PENSTOCK_INLINE { x[j].load(in.re + j * from + at, in.im + j * from + at); });
  Butterfly<kRadix>::run(x);
  unrolled<kRadix>([&](auto k) PENSTOCK_INLINE {
    if constexpr (kTwiddled && k > 0) x[k].turn(twiddles[k - 1]);
    x[k].store(out.re + k * to + at, out.im + k * to + at);
  });
}

/// What is left beside whole vectors. Never inlined: it is the same for all of them.
template <int kRadix, bool kTwiddled>
[[gnu::noinline]] void butterfly_rest(Planes out, Planes in, int64_t from, int64_t n, int64_t at,
                                      const Twiddle* twiddles) {
  for (; at < n; ++at) butterfly<kRadix, kTwiddled, 1>(out, n, in, from, at, twiddles);
}

template <int kRadix, bool kTwiddled, int kWidth>
PENSTOCK_INLINE inline void butterfly_row(Planes out, Planes in, int64_t from, int64_t n, const Twiddle* twiddles) {
  int64_t at = 0;
  for (; at + kWidth <= n; at += kWidth) butterfly<kRadix, kTwiddled, kWidth>(out, n, in, from, at, twiddles);
  if (at < n) butterfly_rest<kRadix, kTwiddled>(out, in, from, n, at, twiddles);
}

/// Stockham's order: what a butterfly takes from all over its transform, it leaves side by side.
template <int kRadix, int kWidth>
PENSTOCK_INLINE inline void butterflies(Planes out, Planes in, const FftStage& stage, int64_t lanes) {
  const Twiddle* twiddles = stage.twiddles.data();
  const int64_t n = stage.stride * lanes, from = stage.count * n;
  butterfly_row<kRadix, false, kWidth>(out, in, from, n, twiddles);
  for (int64_t p = 1; p < stage.count; ++p) {
    const Planes to{out.re + p * kRadix * n, out.im + p * kRadix * n};
    butterfly_row<kRadix, true, kWidth>(to, {in.re + p * n, in.im + p * n}, from, n, twiddles + p * (kRadix - 1));
  }
}

/// A butterfly of kWidth signals whose elements are made of weighted rows. The number of lanes is a constant, so that
/// all results have constant places. With addresses in registers, and rows in the order of the signal, the whole
/// transform of 512 elements took 1.15 times as long.
template <int kRadix, bool kTwiddled, int kWidth>
PENSTOCK_INLINE inline void first_butterfly(Planes out, const float* rows, const WeightedRow* list,
                                            const Twiddle* twiddles) {
  Element<kWidth> x[kRadix];
  unrolled<kRadix>([&](auto j) PENSTOCK_INLINE {
    const WeightedRow &re = list[2 * j], &im = list[2 * j + 1];
    x[j].load(rows + re.offset, rows + im.offset);
    x[j].re *= re.weight;
    x[j].im *= im.weight;
  });
  Butterfly<kRadix>::run(x);
  unrolled<kRadix>([&](auto k) PENSTOCK_INLINE {
    if constexpr (kTwiddled && k > 0) x[k].turn(twiddles[k - 1]);
    x[k].store(out.re + k * kLanes, out.im + k * kLanes);
  });
}

template <int kRadix, int kWidth>
PENSTOCK_INLINE inline void first_butterflies(Planes out, const float* rows, const WeightedRow* list,
                                              const FftStage& stage, const Upcoming& upcoming) {
  const Twiddle* twiddles = stage.twiddles.data();
  first_butterfly<kRadix, false, kWidth>(out, rows, list, twiddles);
  for (int64_t p = 1; p < stage.count; ++p) {
    out.re += kRadix * kLanes;
    out.im += kRadix * kLanes;
    list += 2 * kRadix;
    twiddles += kRadix - 1;
    upcoming.prefetch(p - 1, stage.count - 1);
    first_butterfly<kRadix, true, kWidth>(out, rows, list, twiddles);
  }
}

}  // namespace

Twiddle twiddle_of(int64_t k, int64_t n) {
  const double angle = 2 * std::numbers::pi * static_cast<double>(k % n) / static_cast<double>(n);
  return {static_cast<float>(std::cos(angle)), static_cast<float>(-std::sin(angle))};
}

void run_stage(const FftStage& stage, Planes out, Planes in, int64_t lanes) {
  run_vectors([&stage, out, in, lanes]<int kWidth>() PENSTOCK_INLINE {
    for_radix(stage.radix, [&](auto radix) PENSTOCK_INLINE { butterflies<radix, kWidth>(out, in, stage, lanes); });
  });
}

std::vector<WeightedRow> in_stage_order(const FftStage& stage, const std::vector<WeightedRow>& rows) {
  std::vector<WeightedRow> list;
  for (int64_t p = 0; p < stage.count; ++p)
    for (int64_t j = 0; j < stage.radix; ++j)
      for (int part = 0; part < 2; ++part) list.push_back(rows[2 * (p + j * stage.count) + part]);
  return list;
}

void run_first_stage(const FftStage& stage, Planes out, const float* rows, const WeightedRow* list,
                     const Upcoming& upcoming) {
  run_vectors([&stage, out, rows, list, upcoming]<int kWidth>() PENSTOCK_INLINE {
    for_radix(stage.radix, [&](auto radix) PENSTOCK_INLINE {
      for (int64_t at = 0; at < kLanes; at += kWidth)
        first_butterflies<radix, kWidth>({out.re + at, out.im + at}, rows + at, list, stage,
                                         at ? Upcoming{} : upcoming);
    });
  });
}

}  // namespace penstock
