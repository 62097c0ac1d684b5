// A random element of a mask.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/random/philox.h"
#include "memory/view.h"

namespace penstock {

struct Foreground {
  std::optional<int32_t> value;  // elements of this value
  float threshold = 0;           // else those above
};

/// Writes the indices of an element of `mask`, which is not empty: of the foreground if it is given and there is any.
void draw_mask_pixel(int64_t* indices, const Philox& sequence, ConstView mask,
                     const std::optional<Foreground>& foreground);

}  // namespace penstock
