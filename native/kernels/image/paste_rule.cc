#include "kernels/image/paste_rule.h"

#include <stdexcept>
#include <string>

namespace penstock {
namespace {

// Windows must stay countable: their volume is a 64-bit number.
constexpr float kLargest = 1 << 24;

float checked_position(const char* name, float position) {
  if (!(position >= 0 && position <= 1))
    throw std::runtime_error(std::string(name) + " must be in range [0, 1], got " + std::to_string(position));
  return position;
}

}  // namespace

Box PasteRule::window(size_t sample, const Shape& shape) const {
  const float ratio = arguments_.ratio[sample], least = arguments_.least[sample];
  if (!(ratio >= 1))
    throw std::runtime_error("ratio of less than 1 is not supported, got " + std::to_string(ratio) +
                             "; to cut a part out use crop");
  if (!(least >= 0))
    throw std::runtime_error("min_canvas_size_ of less than 0 is not supported, got " + std::to_string(least));
  const float position[] = {checked_position("paste_y", arguments_.y[sample]),
                            checked_position("paste_x", arguments_.x[sample])};
  Box window{shape, shape};
  window.anchor[2] = 0;
  for (int axis = 0; axis < 2; ++axis) {
    const float wanted = std::max(ratio * static_cast<float>(shape[axis]), least);
    if (!(wanted <= kLargest))
      throw std::runtime_error("a canvas of " + std::to_string(wanted) + " pixels is too large; the limit is 16777216");
    window.extent[axis] = std::max(static_cast<int64_t>(wanted), shape[axis]);
    const auto room = static_cast<float>(window.extent[axis] - shape[axis]);
    window.anchor[axis] = -static_cast<int64_t>(position[axis] * room);
  }
  return window;
}

}  // namespace penstock
