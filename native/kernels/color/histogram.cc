#include "kernels/color/histogram.h"

#include <algorithm>
#include <stdexcept>

#include "kernels/color/byte_levels.h"

namespace penstock {

Spec Histogram::infer(size_t /*sample*/, const Spec& in, ConstView /*data*/) const {
  if (in.dtype != DType::u8 || in.shape.ndim != 3)
    throw std::runtime_error("histograms are of uint8 with axes H, W, C");
  Spec out{DType::i64, {}};
  out.shape.ndim = 2;
  out.shape[0] = in.shape[2];
  out.shape[1] = kLevels;
  return out;
}

void Histogram::run(size_t /*sample*/, View out, ConstView in, Scratch& /*scratch*/) const {
  int64_t* counts = out.as<int64_t>();
  std::fill_n(counts, out.shape.volume(), 0);
  const uint8_t* values = in.as<uint8_t>();
  const int64_t pixels = in.shape[0] * in.shape[1], channels = in.shape[2];
  for (int64_t pixel = 0; pixel < pixels; ++pixel, values += channels)
    for (int64_t channel = 0; channel < channels; ++channel) ++counts[channel * kLevels + values[channel]];
}

}  // namespace penstock
