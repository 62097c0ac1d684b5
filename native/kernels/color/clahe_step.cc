#include "kernels/color/clahe_step.h"

#include <stdexcept>
#include <string>

#include "kernels/bytes/channels.h"
#include "kernels/color/lab.h"

namespace penstock {

Spec Clahe::infer(size_t, const Spec& in, ConstView) const {
  const int64_t channels = in.shape.ndim == 3 ? in.shape[2] : 0;
  if (channels != 1 && channels != 3)
    throw std::invalid_argument("ClaheCPU supports 1 or 3 channels, got " + std::to_string(channels));
  return in;
}

void Clahe::run(size_t, View out, ConstView in, Scratch& scratch) const {
  const int64_t height = in.shape[0], width = in.shape[1], channels = in.shape[2], pixels = height * width;
  if (pixels == 0) return;
  if (channels == 1) return clahe(out.as<uint8_t>(), in.as<uint8_t>(), height, width, grid_, scratch);
  uint8_t* planes = scratch.array<uint8_t>(kStepTemp, pixels * channels);
  if (luma_only_) {
    const LabPlanes lab{planes, planes + pixels, planes + 2 * pixels};
    rgb_to_lab(lab, in.as<uint8_t>(), pixels);
    clahe(lab.l, lab.l, height, width, grid_, scratch);
    return lab_to_rgb(out.as<uint8_t>(), lab, pixels);
  }
  auto* bytes = reinterpret_cast<std::byte*>(planes);
  split_channels(bytes, pixels, in.data, pixels, channels, 1);
  for (int64_t c = 0; c < channels; ++c) clahe(planes + c * pixels, planes + c * pixels, height, width, grid_, scratch);
  join_channels(out.data, bytes, pixels, pixels, channels, 1);
}

}  // namespace penstock
