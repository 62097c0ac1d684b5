#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/elements/convert.h"
#include "kernels/random/draws.h"
#include "kernels/random/noise.h"
#include "kernels/random/poisson.h"

namespace penstock {
namespace {

// The last few of the elements that are drawn together leave vectors half empty: the more elements the better.
constexpr int kTile = 8 * kDrawTile;

/// The distributions of the means of a tile. Bytes have few values: what belongs to one is kept until the end.
class Distributions {
 public:
  explicit Distributions(bool of_bytes) : of_bytes_(of_bytes) { made_.reserve(of_bytes ? 256 : kTile); }

  void next_tile() {
    if (!of_bytes_) made_.clear();
  }
  const LargePoisson* large(float mean, uint8_t byte) {
    if (of_bytes_ && known_[byte]) return known_[byte];
    made_.emplace_back(mean);
    return known_[byte] = &made_.back();
  }
  double limit(float mean, uint8_t byte) {
    if (of_bytes_ && limits_[byte] > 0) return limits_[byte];
    return limits_[byte] = std::exp(-static_cast<double>(mean));
  }

 private:
  bool of_bytes_;
  std::vector<LargePoisson> made_;
  const LargePoisson* known_[256] = {};
  double limits_[256] = {};
};

/// Elements of a tile that are drawn together, those with the same remainder modulo 4.
struct Group {
  int large = 0, small = 0;
  int large_at[kTile / 4], small_at[kTile / 4];
  const LargePoisson* distribution[kTile / 4];
  double limit[kTile / 4];
};

void draw_poisson(float* out, const float* mean, const uint8_t* bytes, int n, PhiloxTiles& tiles, int64_t first,
                  Distributions& distributions) {
  Group groups[4];
  distributions.next_tile();
  for (int i = 0; i < n; ++i) {
    Group& group = groups[i % 4];
    const uint8_t byte = bytes ? bytes[i] : 0;
    if (!(mean[i] > 0)) {
      out[i] = 0;
    } else if (mean[i] < kLargeMean) {
      group.small_at[group.small] = i;
      group.limit[group.small++] = distributions.limit(mean[i], byte);
    } else if (mean[i] < kHugeMean) {
      group.large_at[group.large] = i;
      group.distribution[group.large++] = distributions.large(mean[i], byte);
    } else {
      out[i] = mean[i];
    }
  }
  for (const Group& group : groups) {
    for (int i = 0; i < group.small; i += kDrawBlocks)
      draw_small_poisson(out, group.small_at + i, group.limit + i, std::min(kDrawBlocks, group.small - i), tiles,
                         first);
    draw_large_poisson(out, group.large_at, group.distribution, group.large, tiles, first);
  }
}

}  // namespace

void add_shot_noise(View out, ConstView in, const Philox& sequence, float factor) {
  const ConvertRow widen = rounding_conversion(DType::f32, in.dtype),
                   narrow = rounding_conversion(in.dtype, DType::f32);
  const int64_t item = item_bytes(in.dtype);
  const float scale = factor == 0 ? 0 : 1 / factor;
  Distributions distributions(item == 1);
  PhiloxTiles tiles(sequence);
  float mean[kTile], drawn[kTile];
  for_tiles<kTile>(in.shape.volume(), [&](int64_t first, int n) {
    widen(reinterpret_cast<std::byte*>(mean), in.data + first * item, n);
    for (int i = 0; i < n; ++i) mean[i] *= scale;
    const uint8_t* bytes = item == 1 ? in.as<uint8_t>() + first : nullptr;
    draw_poisson(drawn, mean, bytes, n, tiles, first, distributions);
    for (int i = 0; i < n; ++i) drawn[i] *= factor;
    narrow(out.data + first * item, reinterpret_cast<const std::byte*>(drawn), n);
  });
}

}  // namespace penstock
