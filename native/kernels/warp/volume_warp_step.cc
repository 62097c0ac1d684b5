#include "kernels/warp/volume_warp_step.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "kernels/warp/volume_sampler.h"
#include "kernels/warp/warp_step.h"

namespace penstock {
namespace {

Box3 box_of(const Shape& dhwc) { return {dhwc[2], dhwc[1], dhwc[0]}; }

}  // namespace

Spec VolumeWarp::infer(size_t sample, const Spec& in, ConstView) const {
  const int64_t largest = std::max({in.shape[0], in.shape[1], in.shape[2]});
  require_warpable(
      largest <= kMaxSampledExtent,
      std::to_string(largest) + " voxels in a row are too many; the limit is " + std::to_string(kMaxSampledExtent));
  Spec out{options_.dtype, in.shape};
  if (options_.size.width() > 0) {
    for (int axis = 0; axis < 3; ++axis) out.shape[axis] = options_.size[sample][axis];
  } else {
    const Box3 box = canvas(sample, box_of(in.shape));
    for (int axis = 0; axis < 3; ++axis) out.shape[axis] = box[2 - axis];
  }
  double volume = 1;
  for (int axis = 0; axis < out.shape.ndim; ++axis) volume *= static_cast<double>(out.shape[axis]);
  require_warpable(volume < 1e12, "the result would have " + std::to_string(volume) + " elements; give a smaller size");
  require_warpable(in.shape.volume(0, 3) > 0 || volume == 0 || options_.border == Border::pad,
                   "an empty volume has no edge to show; give a fill value or an empty size");
  return out;
}

void VolumeWarp::run(size_t sample, View out, ConstView in, Scratch&) const {
  if (out.shape.volume() == 0) return;
  const Matrix m = matrix(sample, box_of(out.shape), box_of(in.shape));
  const SampledVolume volume{in, options_.border, options_.fill[0], options_.lookup == Lookup::linear};
  const SampleVoxels sample_row = voxel_sampler(out.dtype, in.dtype);
  const int64_t row_bytes = out.shape[2] * out.shape[3] * item_bytes(out.dtype);
  std::byte* to = out.data;
  for (int64_t z = 0; z < out.shape[0]; ++z)
    for (int64_t y = 0; y < out.shape[1]; ++y, to += row_bytes) {
      VoxelLine line;
      for (int k = 0; k < 3; ++k) {
        const double middle = static_cast<double>(y) + 0.5, deep = static_cast<double>(z) + 0.5;
        line.start[k] = m[k * 4] * 0.5 + m[k * 4 + 1] * middle + m[k * 4 + 2] * deep + m[k * 4 + 3];
        line.step[k] = m[k * 4];
      }
      sample_row(volume, to, line, out.shape[2]);
    }
}

}  // namespace penstock
