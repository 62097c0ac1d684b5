// Connected parts of a label mask. Elements are neighbours along an axis, not across corners.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "memory/view.h"

namespace penstock {

/// A connected part and the box around it.
struct ConnectedComponent {
  int64_t label = 0;
  std::array<int32_t, kMaxDims> start{}, end{};

  int64_t volume(int ndim) const {
    int64_t product = 1;
    for (int d = 0; d < ndim; ++d) product *= end[d] - start[d];
    return product;
  }
};

/// Whether masks may have this element type: integers of up to 32 bits.
bool can_be_labels(DType dtype);

/// The components of a mask, in the order in which their first elements lie; the background has none.
std::vector<ConnectedComponent> find_components(ConstView mask, int64_t background);

}  // namespace penstock
