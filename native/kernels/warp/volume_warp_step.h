// The step of affine warps of volumes.
#pragma once

#include <array>
#include <utility>

#include "kernels/warp/rotation.h"
#include "kernels/warp/warp_step.h"

namespace penstock {

/// Volumes with axes D, H, W, C whose voxels are looked up along straight lines in the input.
class VolumeWarp : public Step {
 public:
  using Matrix = std::array<double, 12>;

  /// Of `options.size` there are three: depth, height and width. The border is `pad` or `edge`.
  explicit VolumeWarp(WarpOptions options) : options_(std::move(options)) {}

  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;

 protected:
  /// Size of the result, where none is given.
  virtual Box3 canvas(size_t /*sample*/, const Box3& in) const { return in; }
  /// Three rows of four: from places in the result to places in the input.
  virtual Matrix matrix(size_t sample, const Box3& out, const Box3& in) const = 0;

 private:
  WarpOptions options_;
};

}  // namespace penstock
