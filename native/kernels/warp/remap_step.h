// The step of remap: two maps give the coordinates that each pixel is sampled at.
#pragma once

#include <utility>

#include "kernels/warp/warp_step.h"
#include "memory/samples.h"

namespace penstock {

/// Pixels looked up where two maps of float32 say, H, W or H, W, 1.
class Remap : public Warp {
 public:
  /// `shift` is added to the maps' coordinates. With `rounds`, they are rounded first, halves to even.
  Remap(WarpOptions options, Samples map_x, Samples map_y, float shift, bool rounds)
      : Warp(std::move(options)), map_x_(std::move(map_x)), map_y_(std::move(map_y)), shift_(shift), rounds_(rounds) {}

 private:
  Extents canvas(size_t sample, Extents in) const override;
  void draw(size_t sample, const Canvas& canvas, Scratch& scratch) const override;

  Samples map_x_, map_y_;
  float shift_;
  bool rounds_;
};

}  // namespace penstock
