// Linear interpolation of 8-bit images in whole numbers. Included by sampler.cc only.
#pragma once

#include "kernels/warp/sampler.h"

namespace penstock {

/// Linear interpolation between bytes, in whole numbers: never further than 1 from the rounded exact value, and the
/// same on every machine.
SampleRow linear_u8_sampler(const Shape& hwc);

}  // namespace penstock
