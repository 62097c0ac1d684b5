// A random object of a label mask.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/masks/connected_components.h"
#include "kernels/random/philox.h"

namespace penstock {

struct ObjectChoice {
  double probability = 1;  // of taking an object, not the whole mask
  std::optional<int64_t> background;
  std::vector<int64_t> classes;     // labels to draw from; none: all there are
  std::vector<double> weights;      // how likely each class is; none: all alike
  std::vector<int32_t> least_size;  // of a box along every axis; none: any
  std::optional<int64_t> largest;   // only so many of the largest boxes are drawn from
  bool any_class = false;           // all objects are alike, whatever their class
  bool no_class = false;            // the list of classes, or of weights, is there and empty
};

/// The drawn object; the whole mask, with the background as its label, where there is none.
ConnectedComponent draw_object(const Philox& sequence, ConstView mask, const ObjectChoice& choice);

}  // namespace penstock
