// A window on an image, and the check that it lies inside.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace penstock {

/// A window on an image, in pixels.
struct Rect {
  int64_t y = 0, x = 0, height = 0, width = 0;

  bool operator==(const Rect&) const = default;
};

inline void require_inside(const Rect& window, int64_t height, int64_t width) {
  const bool inside = window.y >= 0 && window.x >= 0 && window.height >= 0 && window.width >= 0 &&
                      window.height <= height && window.y <= height - window.height && window.width <= width &&
                      window.x <= width - window.width;
  if (inside) return;
  const auto range = [](int64_t from, int64_t n) { return std::to_string(from) + ".." + std::to_string(from + n); };
  throw std::runtime_error("The cropping window [" + range(window.y, window.height) + ", " +
                           range(window.x, window.width) + "] is not valid for image dimensions [" +
                           std::to_string(height) + " x " + std::to_string(width) + "]");
}

}  // namespace penstock
