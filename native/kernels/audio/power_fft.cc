#include <algorithm>
#include <cmath>

#include "cpu/target_clones.h"
#include "cpu/vectorize.h"
#include "kernels/audio/fft.h"
#include "kernels/audio/lines.h"

namespace penstock {
namespace {

// Working memory of a block, in elements of all lanes: larger ones leave the second-level cache.
constexpr int64_t kBlockElements = 1 << 15;
// Fewer lanes than this leave most of a register empty: then one signal at a time is better.
constexpr int64_t kFewestLanes = 8;

/// Powers of bins k and n - k of a real signal whose even and odd elements make up a transform of length n.
struct Pair {
  float low, high;
};

PENSTOCK_INLINE inline Pair unfold(float near_re, float near_im, float far_re, float far_im, Twiddle twiddle) {
  const float even_re = near_re + far_re, even_im = near_im - far_im;
  const float odd_re = near_im + far_im, odd_im = far_re - near_re;
  const float turned_re = odd_re * twiddle.re - odd_im * twiddle.im,
              turned_im = odd_re * twiddle.im + odd_im * twiddle.re;
  const float sum_re = even_re + turned_re, sum_im = even_im + turned_im;
  const float gap_re = even_re - turned_re, gap_im = even_im - turned_im;
  return {0.25F * (sum_re * sum_re + sum_im * sum_im), 0.25F * (gap_re * gap_re + gap_im * gap_im)};
}

PENSTOCK_CLONES void unfold_lanes(float* out, Planes in, int64_t n, const Twiddle* twiddles, int64_t lanes) {
  for (int64_t k = 0; k <= n / 2; ++k) {
    const int64_t near = k * lanes, far = (k == 0 ? 0 : n - k) * lanes, high = (n - k) * lanes;
    const Twiddle twiddle = twiddles[k];
    PENSTOCK_INDEPENDENT
    for (int64_t l = 0; l < lanes; ++l) {
      const Pair pair = unfold(in.re[near + l], in.im[near + l], in.re[far + l], in.im[far + l], twiddle);
      out[near + l] = pair.low;
      out[high + l] = pair.high;
    }
  }
}

PENSTOCK_CLONES void unfold_one(float* out, Planes in, int64_t n, const Twiddle* twiddles) {
  const Pair ends = unfold(in.re[0], in.im[0], in.re[0], in.im[0], twiddles[0]);
  out[0] = ends.low;
  out[n] = ends.high;
  PENSTOCK_INDEPENDENT
  for (int64_t k = 1; k <= n / 2; ++k) {
    const Pair pair = unfold(in.re[k], in.im[k], in.re[n - k], in.im[n - k], twiddles[k]);
    out[k] = pair.low;
    out[n - k] = pair.high;
  }
}

void split(Planes out, const float* in, int64_t n) {
  for (int64_t k = 0; k < n; ++k) {
    out.re[k] = in[2 * k];
    out.im[k] = in[2 * k + 1];
  }
}

PENSTOCK_CLONES void squares(float* out, Planes in, int64_t n) {
  PENSTOCK_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) out[i] = in.re[i] * in.re[i] + in.im[i] * in.im[i];
}

PENSTOCK_CLONES void take_roots(float* values, int64_t n) {
  for (int64_t i = 0; i < n; ++i) values[i] = std::sqrt(values[i]);
}

}  // namespace

PowerFft::PowerFft(int64_t n) : size_(n), fft_(n % 2 ? n : n / 2) {
  if (halved())
    for (int64_t k = 0; k <= n / 4; ++k) twiddles_.push_back(twiddle_of(k, n));
}

int64_t PowerFft::most_lanes() const {
  const int64_t most = std::min(kBlockElements / fft_.room(), kLanes);
  return most < kFewestLanes ? 1 : most;
}

void PowerFft::fill(float* work, const float* block, int64_t count, int64_t lanes) const {
  int64_t i = 0;
  if (lanes == 1 && halved()) {
    split({work, work + fft_.room()}, block, count / 2);
    i = count / 2 * 2;
  }
  for (; i < count; ++i) std::copy_n(block + i * lanes, lanes, row(work, i, lanes));
  for (; i < size_; ++i) std::fill_n(row(work, i, lanes), lanes, 0.0F);
}

void PowerFft::run(float* out, float* work, int64_t lanes, bool root) const {
  const int64_t plane = fft_.room() * lanes;
  const Planes data{work, work + plane}, other{work + 2 * plane, work + 3 * plane};
  if (!halved()) std::fill(data.im, data.im + size_ * lanes, 0.0F);
  const Planes made = fft_.run(data, other, lanes);
  if (halved() && lanes == 1)
    unfold_one(out, made, size_ / 2, twiddles_.data());
  else if (halved())
    unfold_lanes(out, made, size_ / 2, twiddles_.data(), lanes);
  else
    squares(out, made, bins() * lanes);
  if (root) take_roots(out, bins() * lanes);
}

}  // namespace penstock
