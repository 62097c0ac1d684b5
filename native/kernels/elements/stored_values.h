// Conversion of numbers as files store them (byte order, scale) to native elements.
#pragma once

#include <optional>

#include "memory/view.h"

namespace penstock {

/// Turns around the bytes of n elements of `item` bytes, in place.
void swap_bytes(std::byte* elements, int64_t item, int64_t n);

/// Adds half the range to n whole numbers of `item` bytes, in place: signed ones become unsigned ones and back.
void flip_signs(std::byte* elements, int64_t item, int64_t n);

/// n elements as zero + scale * element, in f32 or f64; NaN where a whole number is `blank`.
void scale_values(std::byte* out, DType to, const std::byte* in, DType from, int64_t n, double scale, double zero,
                  std::optional<int64_t> blank);

}  // namespace penstock
