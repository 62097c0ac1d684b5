#include "kernels/warp/volume_sampler.h"

#include <cmath>

#include "kernels/elements/convert.h"

namespace penstock {
namespace {

/// Beyond every volume, and far from the end of what a conversion to int64 bears.
constexpr float kFar = 1e9f;

/// The voxels a place lies between, along one axis, and how far it is from the first to the second.
struct Span {
  int64_t index[2];
  float share;

  /// NaN is far to the left, as good as any place outside.
  Span(float place, int64_t extent, const SampledVolume& volume) {
    const float shifted = volume.linear ? place - 0.5f : place;
    const float at = shifted > -kFar ? (shifted < kFar ? shifted : kFar) : -kFar;
    const float low = std::floor(at);
    index[0] = static_cast<int64_t>(low);
    index[1] = index[0] + 1;
    share = at - low;
    for (int64_t& i : index) {
      if (volume.border == Border::edge) i = repeated(i, extent, Border::edge);
      if (i < 0 || i >= extent) i = -1;
    }
  }
};

template <typename In>
struct Voxels {
  const SampledVolume& volume;
  const In* data = volume.data.as<In>();

  const In* at(int64_t x, int64_t y, int64_t z) const {
    if (x < 0 || y < 0 || z < 0) return nullptr;
    const Shape& shape = volume.data.shape;
    return data + ((z * shape[1] + y) * shape[2] + x) * shape[3];
  }
  float value(const In* voxel, int64_t channel) const {
    return voxel ? static_cast<float>(voxel[channel]) : volume.fill;
  }
};

template <typename In, typename Out>
void put_nearest(Out* out, const Voxels<In>& voxels, const Span (&at)[3], int64_t channels) {
  const In* voxel = voxels.at(at[0].index[0], at[1].index[0], at[2].index[0]);
  for (int64_t c = 0; c < channels; ++c) out[c] = voxel ? rounded<Out>(voxel[c]) : rounded<Out>(voxels.volume.fill);
}

template <typename In, typename Out>
void put_linear(Out* out, const Voxels<In>& voxels, const Span (&at)[3], int64_t channels) {
  const In* corners[8];
  for (int k = 0; k < 8; ++k) corners[k] = voxels.at(at[0].index[k & 1], at[1].index[k >> 1 & 1], at[2].index[k >> 2]);
  for (int64_t c = 0; c < channels; ++c) {
    float values[8];
    for (int k = 0; k < 8; ++k) values[k] = voxels.value(corners[k], c);
    for (int axis = 0, n = 4; axis < 3; ++axis, n /= 2)
      for (int k = 0; k < n; ++k) values[k] = values[2 * k] + (values[2 * k + 1] - values[2 * k]) * at[axis].share;
    out[c] = rounded<Out>(values[0]);
  }
}

template <typename In, typename Out>
void sample_voxels(const SampledVolume& volume, std::byte* to, const VoxelLine& line, int64_t n) {
  const Shape& shape = volume.data.shape;
  const Voxels<In> voxels{volume};
  auto* out = reinterpret_cast<Out*>(to);
  for (int64_t i = 0; i < n; ++i, out += shape[3]) {
    const auto place = [&](int k) { return static_cast<float>(line.start[k] + line.step[k] * static_cast<double>(i)); };
    const Span at[3] = {{place(0), shape[2], volume}, {place(1), shape[1], volume}, {place(2), shape[0], volume}};
    volume.linear ? put_linear(out, voxels, at, shape[3]) : put_nearest(out, voxels, at, shape[3]);
  }
}

template <typename In>
SampleVoxels from(DType out) {
  return out == DType::f32 ? sample_voxels<In, float> : sample_voxels<In, In>;
}

}  // namespace

SampleVoxels voxel_sampler(DType out, DType in) {
  switch (in) {
    case DType::u8:
      return from<uint8_t>(out);
    case DType::i16:
      return from<int16_t>(out);
    case DType::i32:
      return from<int32_t>(out);
    default:
      break;
  }
  return out == DType::u8    ? sample_voxels<float, uint8_t>
         : out == DType::i16 ? sample_voxels<float, int16_t>
         : out == DType::i32 ? sample_voxels<float, int32_t>
                             : sample_voxels<float, float>;
}

}  // namespace penstock
