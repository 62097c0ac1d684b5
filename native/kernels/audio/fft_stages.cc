#include "kernels/audio/fft_stages.h"

#include <cmath>
#include <numbers>

#include "kernels/audio/fft_butterflies.h"

namespace penstock {
namespace {

/// Elements of the planes that a stage reads; those of a butterfly are `step` floats apart.
struct PlaneElements {
  static constexpr bool kWholeVectors = false;
  Planes in;
  int64_t step;

  template <int kWidth>
  PENSTOCK_INLINE void load(Element<kWidth>& into, int64_t element, int64_t at) const {
    into.load(in.re + element * step + at, in.im + element * step + at);
  }
};

/// Elements of a signal: number k is made of two weighted rows.
struct RowElements {
  static constexpr bool kWholeVectors = true;
  const float* rows;
  const WeightedRow* list;

  template <int kWidth>
  PENSTOCK_INLINE void load(Element<kWidth>& into, int64_t element, int64_t at) const {
    const WeightedRow &re = list[2 * element], &im = list[2 * element + 1];
    into.load(rows + re.offset + at, rows + im.offset + at);
    into.re *= re.weight;
    into.im *= im.weight;
  }
};

/// One butterfly of kWidth signals, whose element j is number `from + j * count`.
template <int kRadix, bool kTwiddled, int kWidth, typename Elements>
PENSTOCK_INLINE inline void butterfly(Planes out, int64_t to, const Elements& elements, int64_t from, int64_t count,
                                      int64_t at, const Twiddle* twiddles) {
  Element<kWidth> x[kRadix];
  unrolled<kRadix>([&](auto j) PENSTOCK_INLINE { elements.load(x[j], from + j * count, at); });
  Butterfly<kRadix>::run(x);
  unrolled<kRadix>([&](auto k) PENSTOCK_INLINE {
    if constexpr (kTwiddled && k > 0) x[k].turn(twiddles[k - 1]);
    x[k].store(out.re + k * to + at, out.im + k * to + at);
  });
}

/// What is left beside whole vectors. Never inlined: it is the same for all of them.
template <int kRadix, bool kTwiddled, typename Elements>
[[gnu::noinline]] void butterfly_rest(Planes out, const Elements& elements, int64_t from, int64_t count, int64_t n,
                                      int64_t at, const Twiddle* twiddles) {
  for (; at < n; ++at) butterfly<kRadix, kTwiddled, 1>(out, n, elements, from, count, at, twiddles);
}

template <int kRadix, bool kTwiddled, int kWidth, typename Elements>
PENSTOCK_INLINE inline void butterfly_row(Planes out, const Elements& elements, int64_t from, int64_t count, int64_t n,
                                          const Twiddle* twiddles) {
  int64_t at = 0;
  for (; at + kWidth <= n; at += kWidth)
    butterfly<kRadix, kTwiddled, kWidth>(out, n, elements, from, count, at, twiddles);
  if constexpr (!Elements::kWholeVectors)
    if (at < n) butterfly_rest<kRadix, kTwiddled>(out, elements, from, count, n, at, twiddles);
}

/// Stockham's order: what a butterfly takes from all over its transform, it leaves side by side.
template <int kRadix, int kWidth, typename Elements>
PENSTOCK_INLINE inline void butterflies(Planes out, const Elements& elements, const FftStage& stage, int64_t lanes) {
  const Twiddle* twiddles = stage.twiddles.data();
  const int64_t n = stage.stride * lanes;
  butterfly_row<kRadix, false, kWidth>(out, elements, 0, stage.count, n, twiddles);
  for (int64_t p = 1; p < stage.count; ++p) {
    const Planes to{out.re + p * kRadix * n, out.im + p * kRadix * n};
    butterfly_row<kRadix, true, kWidth>(to, elements, p, stage.count, n, twiddles + p * (kRadix - 1));
  }
}

template <int kWidth, typename Elements>
PENSTOCK_INLINE inline void run_radix(const FftStage& stage, Planes out, const Elements& elements, int64_t lanes) {
  for_radix(stage.radix, [&](auto radix) PENSTOCK_INLINE { butterflies<radix, kWidth>(out, elements, stage, lanes); });
}

}  // namespace

Twiddle twiddle_of(int64_t k, int64_t n) {
  const double angle = 2 * std::numbers::pi * static_cast<double>(k % n) / static_cast<double>(n);
  return {static_cast<float>(std::cos(angle)), static_cast<float>(-std::sin(angle))};
}

void run_stage(const FftStage& stage, Planes out, Planes in, int64_t lanes) {
  run_vectors([&stage, out, in, lanes]<int kWidth>() PENSTOCK_INLINE {
    run_radix<kWidth>(stage, out, PlaneElements{in, stage.stride * lanes}, lanes);
  });
}

void run_first_stage(const FftStage& stage, Planes out, const float* rows, const WeightedRow* list, int64_t lanes) {
  run_vectors([&stage, out, rows, list, lanes]<int kWidth>() PENSTOCK_INLINE {
    run_radix<kWidth>(stage, out, RowElements{rows, list}, lanes);
  });
}

}  // namespace penstock
