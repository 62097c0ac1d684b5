#pragma once

#include <vector>

#include "kernels/resize/row_kernels.h"

namespace penstock {

/// What this CPU can run of the AVX2 and AVX-512 kernels, best first; nothing on other architectures.
std::vector<RowKernels> x86_row_kernels();

}  // namespace penstock
