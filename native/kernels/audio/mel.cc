#include "kernels/audio/mel.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "cpu/newest.h"
#include "kernels/fourier/lines.h"

namespace penstock {
namespace {

constexpr double kLinearHz = 200.0 / 3, kKneeHz = 1000, kKneeMel = kKneeHz / kLinearHz;
constexpr double kHtkFactor = 1127, kHtkHz = 700;
const double kLogStep = std::log(6.4) / 27;

double to_mel(double hz, bool htk) {
  if (htk) return kHtkFactor * std::log1p(hz / kHtkHz);
  return hz < kKneeHz ? hz / kLinearHz : kKneeMel + std::log(hz / kKneeHz) / kLogStep;
}

double to_hz(double mel, bool htk) {
  if (htk) return kHtkHz * std::expm1(mel / kHtkFactor);
  return mel < kKneeMel ? mel * kLinearHz : kKneeHz * std::exp((mel - kKneeMel) * kLogStep);
}

struct Bands {
  std::span<const MelBank::Band> list;
  const float* weights;
};

// Sums stay in registers; columns do not depend on one another, so blocks of any width give the same bits.
PENSTOCK_INLINE inline void sum_bands(float* out, int64_t out_step, const float* in, int64_t in_step, int64_t columns,
                                      Bands bands) {
  for (const MelBank::Band& band : bands.list) {
    const float* weights = bands.weights + band.weights;
    const float* rows = in + band.first * in_step;
    int64_t column = 0;
    for (; column + kLanes <= columns; column += kLanes) {
      AllLanes sum{};
      for (int64_t k = 0; k < band.count; ++k)
        sum += *reinterpret_cast<const AllLanes*>(rows + k * in_step + column) * weights[k];
      *reinterpret_cast<AllLanes*>(out + column) = sum;
    }
    for (; column < columns; ++column) {
      float sum = 0;
      for (int64_t k = 0; k < band.count; ++k) sum += rows[k * in_step + column] * weights[k];
      out[column] = sum;
    }
    out += out_step;
  }
}

}  // namespace

MelBank::MelBank(const MelScale& scale, int64_t bins) {
  const double from = to_mel(scale.low, scale.htk), to = to_mel(scale.high, scale.htk);
  const auto edge = [&](int64_t k) {
    return to_hz(from + (to - from) * static_cast<double>(k) / static_cast<double>(scale.filters + 1), scale.htk);
  };
  const double width = bins > 1 ? scale.sample_rate / static_cast<double>(2 * (bins - 1)) : 0;
  for (int64_t filter = 0; filter < scale.filters; ++filter) {
    const double left = edge(filter), peak = edge(filter + 1), right = edge(filter + 2);
    const double height = scale.normalizes ? 2 / (right - left) : 1;
    Band band{0, 0, static_cast<int64_t>(weights_.size())};
    const auto start = static_cast<int64_t>(std::min(width > 0 ? left / width : 0, static_cast<double>(bins)));
    for (int64_t bin = start; width > 0 && bin < bins; ++bin) {
      const double hz = static_cast<double>(bin) * width;
      if (hz >= right) break;
      if (hz <= left) continue;
      if (band.count++ == 0) band.first = bin;
      weights_.push_back(
          static_cast<float>(height * std::min((hz - left) / (peak - left), (right - hz) / (right - peak))));
    }
    bands_.push_back(band);
  }
}

void MelBank::run(float* out, int64_t out_step, const float* in, int64_t in_step, int64_t columns) const {
  newest<sum_bands>(out, out_step, in, in_step, columns, Bands{bands_, weights_.data()});
}

}  // namespace penstock
