// Square roots of rows, with vectors that are wider than those of NumPy's loop.
#pragma once

#include "memory/view.h"

namespace penstock {

enum class Root : uint8_t { square, reciprocal_square };

/// Makes n elements; `out` may be `in`.
using RootRow = void (*)(std::byte* out, const std::byte* in, int64_t n);

/// Both rows have elements of type `dtype`; null where those are no floats or doubles. A reciprocal is that of the
/// rounded root.
RootRow root_row(Root kind, DType dtype);

}  // namespace penstock
