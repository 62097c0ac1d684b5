// Changes of tone of 8-bit images: every value becomes another, whatever is around it.
#pragma once

#include "memory/view.h"

namespace penstock {

enum class Tone : uint8_t { invert, solarize, solarize_add, posterize, contrast, auto_contrast };

/// Changes `in`, whose axes are height, width and channels; `amount` is what the kind of change takes. Contrast needs
/// one channel or three.
void change_tone(View out, ConstView in, Tone tone, float amount);

}  // namespace penstock
