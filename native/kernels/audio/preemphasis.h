// The preemphasis filter of speech processing.
#pragma once

#include "memory/view.h"

namespace penstock {

/// What comes before the first element: the first, nothing, or the second.
enum class SignalBorder : uint8_t { clamp, zero, reflect };

/// out[i] = in[i] - coefficient * in[i - 1] over all elements as they are stored, rounded and saturated to the type of
/// `out`. Calculated in float, or for f64 in double.
void preemphasis(View out, ConstView in, float coefficient, SignalBorder border);

}  // namespace penstock
