// Steps that displace each pixel by a short distance: water, sphere, jitter.
#pragma once

#include <array>
#include <utility>

#include "kernels/warp/warp_step.h"

namespace penstock {

/// A warp that can be switched off for single samples.
class Displacement : public Warp {
 public:
  Displacement(WarpOptions options, PerSample<int32_t> mask) : Warp(std::move(options)), mask_(std::move(mask)) {}

 protected:
  bool passes(size_t sample) const override { return mask_[sample] == 0; }

 private:
  PerSample<int32_t> mask_;
};

/// A wave along each axis: how far it moves pixels, its angular frequency per pixel and its phase.
struct Wave {
  float amplitude = 0, frequency = 0, phase = 0;
};

/// As seen through moving water: rows are shifted by one wave and columns by another.
class Water : public Displacement {
 public:
  Water(WarpOptions options, PerSample<int32_t> mask, Wave across, Wave down)
      : Displacement(std::move(options), std::move(mask)), across_(across), down_(down) {}

 private:
  void draw(size_t sample, const Canvas& canvas, Scratch& scratch) const override;

  Wave across_, down_;
};

/// As seen through a glass ball: the further from the centre, the further away a pixel comes from.
class Sphere : public Displacement {
 public:
  using Displacement::Displacement;

 private:
  void draw(size_t sample, const Canvas& canvas, Scratch& scratch) const override;
};

/// Random shifts of up to `reach` pixels, from the words a call took.
struct JitterShifts {
  std::array<uint32_t, 7> words;
  uint32_t reach;

  /// Those of pixels `first` to `first + n`, counted row by row; n up to kSampleBlock.
  void draw(float* across, float* down, size_t sample, int64_t first, int n) const;
};

/// Pixels taken at random from a square of `2 * reach + 1` around them.
class Jitter : public Displacement {
 public:
  Jitter(WarpOptions options, PerSample<int32_t> mask, JitterShifts shifts)
      : Displacement(std::move(options), std::move(mask)), shifts_(shifts) {}

 private:
  void draw(size_t sample, const Canvas& canvas, Scratch& scratch) const override;

  JitterShifts shifts_;
};

}  // namespace penstock
