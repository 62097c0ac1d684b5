#include "kernels/audio/audio_resample_step.h"

#include <limits>
#include <stdexcept>
#include <string>

#include "kernels/elements/convert.h"

namespace penstock {
namespace {

constexpr double kMostSamples = 0x1p31;

/// The largest number stands for 1; unsigned ones begin at -1.
Level level_of(DType dtype) {
  return visit(dtype, []<typename T>() -> Level {
    if constexpr (std::is_integral_v<T>) {
      const auto largest = static_cast<double>(std::numeric_limits<T>::max());
      return std::is_signed_v<T> ? Level{largest, 0} : Level{largest / 2, largest / 2};
    }
    return {};
  });
}

}  // namespace

Rates AudioResample::rates(size_t sample, int64_t length) const {
  if (options_.length) return {static_cast<double>(length), static_cast<double>((*options_.length)[sample])};
  const Rates rates{options_.in_rate[sample], options_.out_rate[sample]};
  if (!(rates.in > 0 && rates.in < std::numeric_limits<double>::infinity()))
    throw std::runtime_error("input sampling rates must be positive, got " + std::to_string(rates.in));
  if (!(rates.out >= 0 && rates.out < std::numeric_limits<double>::infinity()))
    throw std::runtime_error("output sampling rates and scales cannot be negative or infinite, got " +
                             std::to_string(rates.out));
  return rates;
}

Spec AudioResample::infer(size_t sample, const Spec& in, ConstView) const {
  Shape shape = in.shape;
  double made;
  if (options_.length) {
    made = (*options_.length)[sample];
    if (made < 0) throw std::runtime_error("out_length cannot be negative, got " + std::to_string(made));
  } else {
    made = resampled_length(shape[0], rates(sample, shape[0]));
  }
  if (made > 0 && shape[0] == 0) throw std::runtime_error("a signal without samples cannot become one with samples");
  if (made > kMostSamples) throw std::runtime_error("there would be " + std::to_string(made) + " samples");
  shape[0] = static_cast<int64_t>(made);
  return {options_.dtype, shape};
}

void AudioResample::run(size_t sample, View out, ConstView in, Scratch& scratch) const {
  resample_signal(out, level_of(out.dtype), in, level_of(in.dtype), rates(sample, in.shape[0]), filter_, scratch);
}

}  // namespace penstock
