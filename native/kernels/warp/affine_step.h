// Steps that apply affine maps to images and volumes: warp_affine and rotate.
#pragma once

#include <array>
#include <utility>

#include "kernels/warp/rotation.h"
#include "kernels/warp/volume_warp_step.h"
#include "kernels/warp/warp_step.h"

namespace penstock {

/// By matrices of two rows of three numbers, which take pixels of the result to where they come from.
class AffineWarp : public Warp {
 public:
  AffineWarp(WarpOptions options, PerSampleRows<float> matrices)
      : Warp(std::move(options)), matrices_(std::move(matrices)) {}

 private:
  void draw(size_t sample, const Canvas& canvas, Scratch& scratch) const override;

  PerSampleRows<float> matrices_;
};

/// The same for volumes: three rows of four numbers.
class AffineVolumeWarp : public VolumeWarp {
 public:
  AffineVolumeWarp(WarpOptions options, PerSampleRows<float> matrices)
      : VolumeWarp(std::move(options)), matrices_(std::move(matrices)) {}

 private:
  Matrix matrix(size_t sample, const Box3& out, const Box3& in) const override;

  PerSampleRows<float> matrices_;
};

/// Angles in degrees. The canvas is made large enough for all of the turned image, unless it keeps its size.
class Rotate : public Warp {
 public:
  Rotate(WarpOptions options, PerSample<float> angles, bool keeps_size)
      : Warp(std::move(options)), angles_(std::move(angles)), keeps_size_(keeps_size) {}

  bool fills_any_canvas() const override { return true; }

 private:
  Rotation rotation(size_t sample) const;
  Extents canvas(size_t sample, Extents in) const override;
  void draw(size_t sample, const Canvas& canvas, Scratch& scratch) const override;

  PerSample<float> angles_;
  bool keeps_size_;
};

/// The same for volumes, about an axis of x, y and z.
class RotateVolume : public VolumeWarp {
 public:
  RotateVolume(WarpOptions options, PerSample<float> angles, PerSampleRows<float> axes, bool keeps_size)
      : VolumeWarp(std::move(options)), angles_(std::move(angles)), axes_(std::move(axes)), keeps_size_(keeps_size) {}

  bool fills_any_canvas() const override { return true; }

 private:
  Rotation rotation(size_t sample) const;
  Box3 canvas(size_t sample, const Box3& in) const override;
  Matrix matrix(size_t sample, const Box3& out, const Box3& in) const override;

  PerSample<float> angles_;
  PerSampleRows<float> axes_;
  bool keeps_size_;
};

}  // namespace penstock
