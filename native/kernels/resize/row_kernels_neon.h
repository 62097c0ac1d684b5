// The passes of 8-bit resampling for NEON. Included by row_kernels.cc only.
#pragma once

#include "cpu/arm_instruction_sets.h"
#include "kernels/resize/row_kernels.h"

namespace penstock {

#ifdef PENSTOCK_NEON
extern const RowKernels kNeonRowKernels;
#endif

}  // namespace penstock
