#include "kernels/warp/remap_step.h"

#include <cmath>
#include <stdexcept>
#include <string>

namespace penstock {
namespace {

std::string text(const Shape& shape) { return std::to_string(shape[0]) + "x" + std::to_string(shape[1]); }

ConstView of_sample(const Samples& maps, size_t sample) { return maps.const_view(maps.size() == 1 ? 0 : sample); }

void copy_row(float* to, const float* from, int n, float shift, bool rounds) {
  if (rounds)
    for (int i = 0; i < n; ++i) to[i] = std::nearbyint(from[i]) + shift;
  else
    for (int i = 0; i < n; ++i) to[i] = from[i] + shift;
}

}  // namespace

Extents Remap::canvas(size_t sample, Extents) const {
  const Shape x = of_sample(map_x_, sample).shape, y = of_sample(map_y_, sample).shape;
  if (x[0] != y[0] || x[1] != y[1])
    throw std::runtime_error("the maps differ in size: " + text(x) + " across and " + text(y) + " down");
  for (const Shape& map : {x, y})
    if (map.ndim == 3 && map[2] != 1)
      throw std::runtime_error("a map has one value for every pixel, not " + std::to_string(map[2]));
  return {x[0], x[1]};
}

void Remap::draw(size_t sample, const Canvas& canvas, Scratch&) const {
  const auto* map_x = of_sample(map_x_, sample).as<float>();
  const auto* map_y = of_sample(map_y_, sample).as<float>();
  const int64_t width = canvas.size().width;
  canvas.draw([=, shift = shift_, rounds = rounds_](float* xs, float* ys, int64_t x, int64_t y, int n) {
    copy_row(xs, map_x + y * width + x, n, shift, rounds);
    copy_row(ys, map_y + y * width + x, n, shift, rounds);
  });
}

}  // namespace penstock
