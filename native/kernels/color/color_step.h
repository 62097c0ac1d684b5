// Steps that change colours and leave pixels where they are.
#pragma once

#include <utility>
#include <vector>

#include "kernels/color/decoded_color.h"
#include "kernels/color/tone.h"
#include "kernels/step.h"
#include "memory/per_sample.h"

namespace penstock {

/// in * factor + addend.
class Linear : public Step {
 public:
  Linear(DType dtype, PerSample<float> factor, PerSample<float> addend)
      : dtype_(dtype), factor_(std::move(factor)), addend_(std::move(addend)) {}

  Spec infer(size_t, const Spec& in, ConstView) const override { return {dtype_, in.shape}; }
  void run(size_t sample, View out, ConstView in, Scratch&) const override;

 private:
  DType dtype_;
  PerSample<float> factor_, addend_;
};

/// A linear map of colours, of samples whose last axis has 3 channels.
class ColorMatrix : public Step {
 public:
  /// `maps` has rows of 12: for every channel of the result three factors and an addend.
  ColorMatrix(DType dtype, PerSampleRows<float> maps) : dtype_(dtype), maps_(std::move(maps)) {}

  Spec infer(size_t, const Spec& in, ConstView) const override;
  void run(size_t sample, View out, ConstView in, Scratch&) const override;

 private:
  DType dtype_;
  PerSampleRows<float> maps_;
};

/// From one colour space to another, where that is no linear map of three channels: between RGB, BGR and grey, and
/// between grey and YCbCr.
class ColorSpace : public Step {
 public:
  ColorSpace(ColorType from, ColorType to) : from_(from), to_(to) {}

  Spec infer(size_t, const Spec& in, ConstView) const override;
  void run(size_t sample, View out, ConstView in, Scratch&) const override;

 private:
  void convert(View out, ConstView in) const;

  ColorType from_, to_;
};

/// Looks elements up in a table whose last entry is for all keys beyond it.
class LookupTable : public Step {
 public:
  LookupTable(DType dtype, std::vector<std::byte> table) : dtype_(dtype), table_(std::move(table)) {}

  Spec infer(size_t, const Spec& in, ConstView) const override { return {dtype_, in.shape}; }
  void run(size_t sample, View out, ConstView in, Scratch&) const override;

 private:
  DType dtype_;
  std::vector<std::byte> table_;
};

/// Histogram equalisation of every channel; `channel_axis` is the first, the last or negative for none.
class Equalize : public Step {
 public:
  explicit Equalize(int channel_axis) : channel_axis_(channel_axis) {}

  Spec infer(size_t, const Spec& in, ConstView) const override;
  void run(size_t sample, View out, ConstView in, Scratch&) const override;

 private:
  int channel_axis_;
};

/// A change of tone of 8-bit images, whose axes are height, width and channels.
class ToneChange : public Step {
 public:
  ToneChange(Tone tone, PerSample<float> amount) : tone_(tone), amount_(std::move(amount)) {}

  Spec infer(size_t, const Spec& in, ConstView) const override;
  void run(size_t sample, View out, ConstView in, Scratch&) const override {
    change_tone(out, in, tone_, amount_[sample]);
  }

 private:
  Tone tone_;
  PerSample<float> amount_;
};

}  // namespace penstock
