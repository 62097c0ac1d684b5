// The passes of 8-bit resampling for AVX2 and AVX-512. Included by row_kernels.cc only.
#pragma once

#include <vector>

#include "kernels/resize/row_kernels.h"

namespace penstock {

/// What this CPU can run of the AVX2 and AVX-512 kernels, best first; nothing on other architectures.
std::vector<RowKernels> x86_row_kernels();

}  // namespace penstock
