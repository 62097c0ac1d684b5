// Rotation of an image or volume about an axis, and the extent of the rotated canvas.
#pragma once

#include <array>
#include <cstdint>

namespace penstock {

/// Widths along x, y and z.
using Box3 = std::array<int64_t, 3>;

/// The way from a turned image or volume back to the upright one, about its centre.
struct Rotation {
  double m[3][3];

  /// By `degrees`, counter-clockwise as seen with the axis pointing at the viewer and y downwards. The axis, x, y and
  /// z, must not be zero.
  Rotation(float degrees, const float axis[3]);

  /// The smallest box around a turned box, up to rounding. Where a side stems mostly from one that is even (odd), it is
  /// made even (odd) too: that keeps pixels of straight angles from falling between others.
  Box3 canvas(const Box3& box) const;

  /// Rows of x, y and z: from places in `out` to places in `in`.
  std::array<double, 12> between(const Box3& out, const Box3& in) const;
};

}  // namespace penstock
