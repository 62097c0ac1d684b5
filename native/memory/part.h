// A part of an array, perhaps mirrored: what cropping and flipping tell about an array that stays where it is.
#pragma once

#include <array>
#include <cstdint>

#include "memory/view.h"

namespace penstock {

struct Part {
  struct Axis {
    int64_t first = 0;  // where position 0 lies in the array
    int64_t extent = 0;
    int64_t step = 1;  // -1 where the axis is mirrored

    /// Leaves `count` positions from `anchor` on, which lie within the axis.
    void narrow(int64_t anchor, int64_t count) {
      first += anchor * step;
      extent = count;
    }
  };
  int ndim = 0;
  std::array<Axis, kMaxDims> axes;

  /// All of an array.
  explicit Part(const Shape& whole) : ndim(whole.ndim) {
    for (int axis = 0; axis < ndim; ++axis) axes[axis] = {0, whole[axis], 1};
  }

  Shape shape() const {
    Shape result{ndim, {}};
    for (int axis = 0; axis < ndim; ++axis) result[axis] = axes[axis].extent;
    return result;
  }

  /// Leaves `extent` positions from `anchor` on, which lie within the part.
  void narrow(int axis, int64_t anchor, int64_t extent) { axes[axis].narrow(anchor, extent); }

  void mirror(int axis) {
    axes[axis].first += (axes[axis].extent - 1) * axes[axis].step;
    axes[axis].step = -axes[axis].step;
  }
};

}  // namespace penstock
