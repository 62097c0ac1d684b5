// Samples a volume at evenly spaced points of a line, with interpolation.
#pragma once

#include "kernels/array/axis_map.h"
#include "memory/view.h"

namespace penstock {

/// A volume with axes D, H, W, C and what lies between and beyond its voxels.
struct SampledVolume {
  ConstView data;
  Border border = Border::pad;  // or edge
  float fill = 0;               // what `pad` shows
  bool linear = true;           // or the nearest voxel
};

/// Where a row of voxels comes from, in x, y and z; whole numbers are the corners of voxels.
struct VoxelLine {
  double start[3], step[3];
};

/// Writes n voxels.
using SampleVoxels = void (*)(const SampledVolume& volume, std::byte* out, const VoxelLine& line, int64_t n);

/// The function for these element types: the same, or one of them float32; u8, i16, i32 and f32 only.
SampleVoxels voxel_sampler(DType out, DType in);

}  // namespace penstock
