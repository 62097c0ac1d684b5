#include "kernels/masks/label_mask.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace penstock {
namespace {

// COCO's tools round vertices to fifths of a pixel, walk along the edges in steps of a fifth, and look where the walk
// goes through the middle of a column, between 5 c + 2 and 5 c + 3. Here only these steps are looked at.
constexpr int64_t kFine = 5;
constexpr int64_t kMiddle = 2;
constexpr double kFarthest = 1e9;  // no image reaches as far, and fifths of it are exact

int64_t fine(float coordinate) {
  return static_cast<int64_t>(kFine * std::clamp<double>(coordinate, -kFarthest, kFarthest) + .5);
}

/// Columns from `first` on, up to the one before `last`.
struct Columns {
  int64_t first, last;
};

/// Columns whose middle is passed on the way from one fine place to another, right of it.
Columns columns_between(int64_t from, int64_t to, int64_t width) {
  const auto reached = [](int64_t place) { return place <= kMiddle ? 0 : (place - kMiddle + kFine - 1) / kFine; };
  return {std::min(reached(from), width), std::min(reached(to), width)};
}

struct Edge {
  int64_t x0, y0, x1, y1;

  /// From left to right, or from top to bottom where it is steeper than that.
  Edge directed() const {
    const bool flat = std::abs(x1 - x0) >= std::abs(y1 - y0);
    return (flat ? x0 > x1 : y0 > y1) ? Edge{x1, y1, x0, y0} : *this;
  }
};

int64_t step_to(int64_t start, double slope, int64_t step) {
  return static_cast<int64_t>(static_cast<double>(start) + slope * static_cast<double>(step) + .5);
}

/// The step with which a steep edge passes the middle of a column: to the right of `place`, or back to it.
int64_t first_beyond(const Edge& edge, double slope, int64_t place, int64_t steps) {
  const auto beyond = [&](int64_t step) { return (step_to(edge.x0, slope, step) > place) == (slope > 0); };
  const double guess = (static_cast<double>(place - edge.x0) + .5) / slope;
  auto step = static_cast<int64_t>(std::clamp(guess, 1., static_cast<double>(steps)));
  while (step > 1 && beyond(step - 1)) --step;
  while (step < steps && !beyond(step)) ++step;
  return step;
}

/// Calls `meet` with each column whose middle is passed, and the fine height where: the smaller one of the step.
template <typename Meet>
void each_crossing(Edge edge, int64_t width, const Meet& meet) {
  edge = edge.directed();
  const int64_t across = std::abs(edge.x1 - edge.x0), down = std::abs(edge.y1 - edge.y0);
  if (across == 0) return;
  const auto [first, last] = columns_between(std::min(edge.x0, edge.x1), std::max(edge.x0, edge.x1), width);
  const bool flat = across >= down;
  const double slope = flat ? static_cast<double>(edge.y1 - edge.y0) / static_cast<double>(across)
                            : static_cast<double>(edge.x1 - edge.x0) / static_cast<double>(down);
  for (int64_t column = first; column < last; ++column) {
    const int64_t place = kFine * column + kMiddle;
    if (flat) {
      const int64_t step = place - edge.x0;
      meet(column, std::min(step_to(edge.y0, slope, step), step_to(edge.y0, slope, step + 1)));
    } else {
      meet(column, edge.y0 + first_beyond(edge, slope, place, down) - 1);
    }
  }
}

Edge edge_of(std::span<const float> polygon, size_t i) {
  const size_t next = i + 2 < polygon.size() ? i + 2 : 0;
  return {fine(polygon[i]), fine(polygon[i + 1]), fine(polygon[next]), fine(polygon[next + 1])};
}

/// Paints the pixels from `first` to `last`, counted down the columns.
void paint(LabelImage image, int64_t first, int64_t last, int32_t label) {
  int64_t x = first / image.height, y = first % image.height;
  for (int64_t left = last - first; left > 0; ++x, y = 0) {
    const int64_t rows = std::min(left, image.height - y);
    int32_t* pixel = image.pixels + y * image.width + x;
    for (int64_t i = 0; i < rows; ++i, pixel += image.width) *pixel = label;
    left -= rows;
  }
}

}  // namespace

size_t most_crossings(std::span<const float> polygon, int64_t width) {
  size_t most = 0;
  for (size_t i = 0; i < polygon.size(); i += 2) {
    const Edge edge = edge_of(polygon, i);
    const auto [first, last] = columns_between(std::min(edge.x0, edge.x1), std::max(edge.x0, edge.x1), width);
    most += static_cast<size_t>(last - first);
  }
  return most;
}

void paint_polygon(LabelImage image, std::span<const float> polygon, int32_t label, int64_t* crossings) {
  const int64_t pixels = image.height * image.width;
  int64_t* end = crossings;
  for (size_t i = 0; i < polygon.size(); i += 2) {
    each_crossing(edge_of(polygon, i), image.width, [&](int64_t column, int64_t height) {
      const double row = (static_cast<double>(height) + .5) / kFine - .5;
      const auto inside = std::clamp<double>(row, 0, static_cast<double>(image.height));
      *end++ = column * image.height + static_cast<int64_t>(std::ceil(inside));
    });
  }
  std::sort(crossings, end);
  for (const int64_t* at = crossings; at < end; at += 2) paint(image, at[0], at + 1 < end ? at[1] : pixels, label);
}

void paint_runs(LabelImage image, std::span<const uint32_t> runs, int32_t label) {
  int64_t at = 0;
  for (size_t i = 0; i < runs.size(); ++i) {
    if (i % 2) paint(image, at, at + runs[i], label);
    at += runs[i];
  }
}

}  // namespace penstock
