// Window, mirror, normalisation and change of layout in one pass over the image.
#pragma once

#include "kernels/array/extract.h"
#include "kernels/image/normalize_row.h"
#include "memory/scratch.h"

namespace penstock {

/// Either the channels are the last axis of the input and the width comes right before, or the width is the last.
struct MirrorNormalize {
  AxisMaps maps;  // of the axes of the input, of which that of the channels is taken whole
  int width_axis = 0;
  int channel_axis = 0;
  std::array<int, kMaxDims> order;  // axis k of the output is axis order[k] of the input
  const float* mean = nullptr;      // one per input channel
  const float* inverse = nullptr;   // likewise
  const std::byte* fill = nullptr;  // one element per output channel
  RowNormalizer rows;
};

/// Output channels beyond those of the input are filled.
void crop_mirror_normalize(View out, ConstView in, const MirrorNormalize& what, Scratch& scratch);

}  // namespace penstock
