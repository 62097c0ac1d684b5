// Steps on spectra: mel filter bank, MFCC and decibels.
#pragma once

#include "kernels/audio/dct.h"
#include "kernels/audio/mel.h"
#include "kernels/step.h"
#include "memory/table_cache.h"

namespace penstock {

class MelFilterBank : public Step {
 public:
  MelFilterBank(MelScale scale, int axis) : scale_(scale), axis_(axis) {}

  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;

  /// The axis of the frequencies.
  int axis() const { return axis_; }
  std::shared_ptr<const MelBank> bank(int64_t bins) const;

 private:
  MelScale scale_;
  int axis_;
  mutable TableCache<MelBank> banks_;
};

class Mfcc : public Step {
 public:
  Mfcc(DctKind kind, int axis) : kind_(kind), axis_(axis) {}

  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;

 private:
  DctKind kind_;
  int axis_;
  mutable TableCache<Dct> tables_;
};

class ToDecibels : public Step {
 public:
  ToDecibels(float multiplier, float reference, float least)
      : multiplier_(multiplier), reference_(reference), least_(least) {}

  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;

 private:
  float multiplier_;
  float reference_;  // 0: the largest value of the sample
  float least_;      // smaller ratios count as this
};

}  // namespace penstock
