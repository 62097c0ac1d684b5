#include "kernels/audio/mel_step.h"

#include <algorithm>
#include <stdexcept>

#include "kernels/audio/decibels.h"
#include "kernels/audio/transform_axis.h"

namespace penstock {

std::shared_ptr<const MelBank> MelFilterBank::bank(int64_t bins) const {
  return banks_.get(bins, [&] { return MelBank(scale_, bins); });
}

Spec MelFilterBank::infer(size_t, const Spec& in, ConstView) const {
  if (in.dtype != DType::f32) throw std::runtime_error("a spectrogram is float32; cast it first");
  Spec made = in;
  made.shape[axis_] = scale_.filters;
  return made;
}

void MelFilterBank::run(size_t, View out, ConstView in, Scratch& scratch) const {
  const auto filters = bank(in.shape[axis_]);
  const auto sum_bands = [&](auto... columns) { filters->run(columns...); };
  transform_axis(out, in, axis_, sum_bands, scratch);
}

Spec Mfcc::infer(size_t, const Spec& in, ConstView) const {
  if (in.dtype != DType::f32) throw std::runtime_error("a spectrogram is float32; cast it first");
  Spec made = in;
  const int64_t length = in.shape[axis_];
  if (kind_.type == 1 && length == 1) throw std::runtime_error("dct_type=1 needs more than 1 element along the axis");
  made.shape[axis_] = std::min(length, kind_.count);
  return made;
}

void Mfcc::run(size_t, View out, ConstView in, Scratch& scratch) const {
  const int64_t length = in.shape[axis_];
  const auto table = tables_.get(length, [&] { return Dct(kind_, length); });
  float* terms = scratch.array<float>(kStepTables, table->terms());
  const auto multiply = [&](auto... columns) { table->run(columns..., terms); };
  transform_axis(out, in, axis_, multiply, scratch);
}

Spec ToDecibels::infer(size_t, const Spec& in, ConstView) const {
  if (in.dtype != DType::f32) throw std::runtime_error("decibels are of float32; cast it first");
  return in;
}

void ToDecibels::run(size_t, View out, ConstView in, Scratch&) const {
  const int64_t n = in.shape.volume();
  const float peak = reference_ == 0 ? largest(in.as<float>(), n) : reference_;
  const float factor = 1 / (peak == 0 ? 1.0F : peak);
  decibels(out.as<float>(), in.as<float>(), n, factor, least_, multiplier_);
}

}  // namespace penstock
