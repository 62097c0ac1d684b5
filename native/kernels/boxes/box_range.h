// Boxes of two or three axes, however they are written down.
#pragma once

#include <array>

namespace penstock {

constexpr int kMaxBoxDims = 3;
/// A number for each of x, y and z.
using BoxPoint = std::array<float, kMaxBoxDims>;

/// From `low` to `high` along every axis, in shares of the picture.
struct BoxRange {
  BoxPoint low{}, high{};
};

/// How a box is written down: where in its row the start and the end, or the size, of each axis stands.
struct BoxLayout {
  int ndim = 2;
  std::array<int, kMaxBoxDims> start{}, end{};
  bool ends_are_sizes = false;

  BoxRange read(const float* row) const;
  void write(float* row, const BoxRange& box) const;
};

/// What lies in both; its ends may be before its starts.
BoxRange common(const BoxRange& a, const BoxRange& b, int ndim);

/// The product of the extents, those that are negative taken as 0.
float volume(const BoxRange& box, int ndim);

}  // namespace penstock
