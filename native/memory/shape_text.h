// Shapes as text, for error messages.
#pragma once

#include <string>

#include "memory/view.h"

namespace penstock {

/// "3 x 4".
inline std::string text(const Shape& shape) {
  std::string result;
  for (int axis = 0; axis < shape.ndim; ++axis) result += (axis ? " x " : "") + std::to_string(shape[axis]);
  return result;
}

/// "{3 x 4}".
inline std::string braced_text(const Shape& shape) { return std::string("{").append(text(shape)).append("}"); }

}  // namespace penstock
