#include "kernels/boxes/rotate_boxes.h"

#include <algorithm>
#include <cmath>

namespace penstock {
namespace {

struct Range {
  double low, high;
  double size() const { return high - low; }
  Range cut(double limit) const { return {std::clamp(low, 0.0, limit), std::clamp(high, 0.0, limit)}; }
};

struct TurnedBox {
  Range x, y;
  double area() const { return x.size() * y.size(); }
};

TurnedBox turn(Range x, Range y, const BoxRotation& r, double expansion) {
  const double cosine = std::abs(r.cosine), sine = std::abs(r.sine);
  const double from_x = (x.low + x.high) / 2 - r.width / 2, from_y = (y.low + y.high) / 2 - r.height / 2;
  const double to_x = r.cosine * from_x + r.sine * from_y + r.canvas_width / 2;
  const double to_y = r.cosine * from_y - r.sine * from_x + r.canvas_height / 2;
  // Beyond 45 degrees a box that keeps its size lies on its side.
  const double kept_width = sine <= cosine ? x.size() : y.size(), kept_height = sine <= cosine ? y.size() : x.size();
  const double full_width = x.size() * cosine + y.size() * sine, full_height = x.size() * sine + y.size() * cosine;
  const double width = kept_width + (full_width - kept_width) * expansion;
  const double height = kept_height + (full_height - kept_height) * expansion;
  return {{to_x - width / 2, to_x + width / 2}, {to_y - height / 2, to_y + height / 2}};
}

}  // namespace

int64_t rotate_boxes(float* out, int32_t* kept, const float* in, int64_t n, const BoxRotation& rotation,
                     const BoxRotationStyle& style) {
  const bool corners = style.form == BoxForm::corners;
  const double unit_x = style.normalized ? rotation.width : 1, unit_y = style.normalized ? rotation.height : 1;
  const double out_x = style.normalized ? rotation.canvas_width : 1,
               out_y = style.normalized ? rotation.canvas_height : 1;
  int64_t count = 0;
  for (int64_t i = 0; i < n; ++i, in += 4) {
    const double left = in[0], top = in[1];
    const Range x{left * unit_x, (corners ? in[2] : left + in[2]) * unit_x};
    const Range y{top * unit_y, (corners ? in[3] : top + in[3]) * unit_y};
    const TurnedBox whole = turn(x, y, rotation, style.expansion);
    const TurnedBox seen{whole.x.cut(rotation.canvas_width), whole.y.cut(rotation.canvas_height)};
    // A box without area has no share of it on the canvas; nor has one of NaNs.
    if (!(seen.area() / whole.area() >= style.threshold)) continue;
    float* box = out + 4 * count;
    box[0] = static_cast<float>(seen.x.low / out_x);
    box[1] = static_cast<float>(seen.y.low / out_y);
    box[2] = static_cast<float>((corners ? seen.x.high : seen.x.size()) / out_x);
    box[3] = static_cast<float>((corners ? seen.y.high : seen.y.size()) / out_y);
    kept[count++] = static_cast<int32_t>(i);
  }
  return count;
}

}  // namespace penstock
