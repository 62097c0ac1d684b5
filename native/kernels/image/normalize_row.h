// (x - mean) * inverse in single precision, the arithmetic of crop_mirror_normalize.
#pragma once

#include "memory/view.h"

namespace penstock {

/// Normalises n elements into n elements of the output's type.
using NormalizeRow = void (*)(std::byte* out, const std::byte* in, int64_t n, const float* mean, const float* inverse);

struct RowNormalizer {
  NormalizeRow plane;        // one mean and inverse for all
  NormalizeRow interleaved;  // a mean and an inverse for every element
};

/// From u8, u16, i16, i32, f16 or f32 to u8, i8, f16 or f32.
RowNormalizer row_normalizer(DType to, DType from);

}  // namespace penstock
