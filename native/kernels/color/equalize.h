// Histogram equalisation of 8-bit images.
#pragma once

#include "memory/view.h"

namespace penstock {

/// Spreads the values of every channel over 0..255, so that each range of them has about as many pixels. Without a
/// `channel_axis`, which is the first or the last, there is one channel.
void equalize(View out, ConstView in, int channel_axis);

}  // namespace penstock
