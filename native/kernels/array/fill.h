// Writing constants: the elements of an array that come from no input.
#pragma once

#include <array>

#include "kernels/bytes/stream.h"
#include "memory/view.h"

namespace penstock {

/// Elements of the output's type, one for all or one per channel.
struct FillValues {
  const std::byte* elements = nullptr;
  int64_t count = 1;
  int channel_axis = -1;
};

/// Fills parts of an array of a given shape.
class Filler {
 public:
  /// `past_caches` tells that nobody will read the array while it would still be in them.
  Filler(const Shape& shape, DType dtype, const FillValues& values, bool past_caches);

  /// Fills `n` positions along `axis`, the first of them number `k` and at `out`, with all that lies inside them.
  /// `channel` is the place on the channel axis, where that axis comes before `axis`.
  void operator()(std::byte* out, int axis, int64_t k, int64_t n, int64_t channel) const;

 private:
  static constexpr int64_t kStretch = 3 << 10;

  void repeat(std::byte* out, int64_t items, int64_t channel) const;

  FillValues values_;
  CopyBytes copy_;
  int64_t item_;
  std::array<int64_t, kMaxDims> inner_{};    // elements inside one position of each axis
  std::array<std::byte, kStretch> stretch_;  // pixels to copy from, where they are small
  int64_t length_ = 0;                       // and how many bytes there are of them
};

}  // namespace penstock
