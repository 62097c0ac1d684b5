// Brightness and contrast: one factor and one addend for all elements.
#pragma once

#include "memory/view.h"

namespace penstock {

/// in * factor + addend in single precision, rounded and saturated to the type of `out`, which has the same shape.
void linear(View out, ConstView in, float factor, float addend);

}  // namespace penstock
