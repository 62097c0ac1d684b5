#include "kernels/boxes/box_range.h"

#include <algorithm>

namespace penstock {

BoxRange BoxLayout::read(const float* row) const {
  BoxRange box;
  for (int d = 0; d < ndim; ++d) {
    box.low[d] = row[start[d]];
    box.high[d] = ends_are_sizes ? box.low[d] + row[end[d]] : row[end[d]];
  }
  return box;
}

void BoxLayout::write(float* row, const BoxRange& box) const {
  for (int d = 0; d < ndim; ++d) {
    row[start[d]] = box.low[d];
    row[end[d]] = ends_are_sizes ? box.high[d] - box.low[d] : box.high[d];
  }
}

float volume(const BoxRange& box, int ndim) {
  float product = 1;
  for (int d = 0; d < ndim; ++d) product *= std::max(box.high[d] - box.low[d], 0.0f);
  return product;
}

BoxRange common(const BoxRange& a, const BoxRange& b, int ndim) {
  BoxRange both;
  for (int d = 0; d < ndim; ++d) {
    both.low[d] = std::max(a.low[d], b.low[d]);
    both.high[d] = std::min(a.high[d], b.high[d]);
  }
  return both;
}

}  // namespace penstock
