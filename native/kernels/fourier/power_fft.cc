#include <algorithm>
#include <cmath>

#include "cpu/newest.h"
#include "cpu/vectorize.h"
#include "kernels/fourier/fft.h"
#include "kernels/fourier/lines.h"
#include "kernels/fourier/power_unfold.h"

namespace penstock {
namespace {

// Working memory of a block, in elements of all lanes: larger ones leave the second-level cache.
constexpr int64_t kBlockElements = 1 << 15;
// Fewer lanes than this leave most of a register empty: then one signal at a time is better.
constexpr int64_t kFewestLanes = 8;

PENSTOCK_INLINE inline void unfold_lanes(float* out, Planes in, int64_t n, const Twiddle* twiddles, int64_t lanes) {
  for (int64_t k = 0; k <= n / 2; ++k) {
    const int64_t near = k * lanes, far = (k == 0 ? 0 : n - k) * lanes, high = (n - k) * lanes;
    const Twiddle twiddle = twiddles[k];
    PENSTOCK_INDEPENDENT
    for (int64_t l = 0; l < lanes; ++l) {
      unfold(out[near + l], out[high + l], in.re[near + l], in.im[near + l], in.re[far + l], in.im[far + l], twiddle);
    }
  }
}

PENSTOCK_INLINE inline void unfold_one(float* out, Planes in, int64_t n, const Twiddle* twiddles) {
  unfold(out[0], out[n], in.re[0], in.im[0], in.re[0], in.im[0], twiddles[0]);
  PENSTOCK_INDEPENDENT
  for (int64_t k = 1; k <= n / 2; ++k)
    unfold(out[k], out[n - k], in.re[k], in.im[k], in.re[n - k], in.im[n - k], twiddles[k]);
}

void split(Planes out, const float* in, int64_t n) {
  for (int64_t k = 0; k < n; ++k) {
    out.re[k] = in[2 * k];
    out.im[k] = in[2 * k + 1];
  }
}

PENSTOCK_INLINE inline void squares(float* out, Planes in, int64_t n) {
  PENSTOCK_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) out[i] = in.re[i] * in.re[i] + in.im[i] * in.im[i];
}

PENSTOCK_INLINE inline void take_roots(float* values, int64_t n) {
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
    newest<unfold_one>(out, made, size_ / 2, twiddles_.data());
  else if (halved())
    newest<unfold_lanes>(out, made, size_ / 2, twiddles_.data(), lanes);
  else
    newest<squares>(out, made, bins() * lanes);
  if (root) newest<take_roots>(out, bins() * lanes);
}

void PowerFft::run_rows(float* out, float* work, const float* rows, const WeightedRow* list, bool root,
                        const Upcoming& stores, const Upcoming& loads) const {
  const std::span<const FftStage> stages = fft_.stages();
  const int64_t plane = fft_.room() * kLanes;
  Planes data{work, work + plane}, other{work + 2 * plane, work + 3 * plane};
  run_first_stage(stages.front(), data, rows, list, stores);
  for (const FftStage& stage : stages.subspan(1, stages.size() - 2)) {
    run_stage(stage, other, data, kLanes);
    std::swap(data, other);
  }
  run_power_stage(stages.back(), out, kLanes, data, twiddles_.data(), kLanes, loads);
  if (root) newest<take_roots>(out, bins() * kLanes);
}

}  // namespace penstock
