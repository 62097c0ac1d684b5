#include "kernels/audio/nonsilent.h"

#include <algorithm>
#include <type_traits>

#include "kernels/audio/decibels.h"
#include "kernels/elements/convert.h"

namespace penstock {
namespace {

// Squares of short integers add up exactly, those of long ones nearly so in double precision.
template <typename T>
using Power = std::conditional_t<std::is_same_v<T, float>, float, std::conditional_t<sizeof(T) <= 2, int64_t, double>>;

template <typename T>
Power<T> square(T value) {
  const auto wide = static_cast<Power<T>>(value);
  return wide * wide;
}

template <typename T>
struct Slide {
  const T* signal;
  int64_t window;
  float* sums;  // of the window that ends at each sample; at the begin it is not full yet

  Power<T> sum_up_to(int64_t end) const {
    Power<T> sum = 0;
    for (int64_t i = std::max<int64_t>(0, end - window + 1); i <= end; ++i) sum += square(signal[i]);
    return sum;
  }

  /// Windows that end at samples [begin, end), the sum of the first being made anew.
  void part(int64_t begin, int64_t end) const {
    Power<T> sum = sum_up_to(begin);
    for (int64_t i = begin;;) {
      sums[i] = static_cast<float>(sum);
      if (++i >= end) return;
      if (i >= window) sum -= square(signal[i - window]);
      sum += square(signal[i]);
    }
  }

  /// Four parts of `size` samples, side by side: within a part each sum waits for the one before.
  void four_parts(int64_t begin, int64_t size) const {
    constexpr int kParts = 4;
    Power<T> sum[kParts];
    for (int k = 0; k < kParts; ++k) sum[k] = sum_up_to(begin + k * size);
    for (int64_t i = begin;;) {
      for (int k = 0; k < kParts; ++k) sums[i + k * size] = static_cast<float>(sum[k]);
      if (++i == begin + size) return;
      for (int k = 0; k < kParts; ++k) {
        sum[k] -= square(signal[i + k * size - window]);
        sum[k] += square(signal[i + k * size]);
      }
    }
  }

  void all(int64_t n, int64_t restart) const {
    const int64_t size = restart ? std::min(restart, n) : n;
    for (int64_t begin = 0; begin < n;) {
      if (begin >= window && begin + 4 * size <= n) {
        four_parts(begin, size);
        begin += 4 * size;
      } else {
        part(begin, std::min(begin + size, n));
        begin += size;
      }
    }
  }
};

}  // namespace

NonsilentRegion nonsilent_region(ConstView signal, const SilenceRule& rule, float* sums) {
  const int64_t n = signal.shape.volume();
  if (n == 0) return {};
  const int64_t window = std::min(rule.window, n);
  visit(signal.dtype, [&]<typename T>() {
    if constexpr (std::is_arithmetic_v<T>) Slide<T>{signal.as<T>(), window, sums}.all(n, rule.restart);
  });
  const float reference = rule.reference == 0 ? largest(sums, n) : rule.reference * static_cast<float>(window);
  const auto loud = [least = reference * rule.ratio](float sum) { return sum >= least; };
  const float* first = std::find_if(sums, sums + n, loud);
  if (first == sums + n) return {};
  const float* last = sums + n - 1;
  while (!loud(*last)) --last;
  const int64_t begin = std::max<int64_t>(0, first - sums - window + 1);
  return {begin, last - sums + 1 - begin};
}

}  // namespace penstock
