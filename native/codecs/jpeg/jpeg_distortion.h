// The artefacts of JPEG compression, without a compressed file in between.
#pragma once

#include <cstdint>

#include "memory/scratch.h"

namespace penstock {

/// Writes what becomes of an RGB image in a JPEG of that quality (1 to 100, with chroma at half the resolution),
/// without making one: entropy coding loses nothing, so coefficients go from the compressor straight to the
/// decompressor.
void distort_as_jpeg(uint8_t* out, const uint8_t* in, int64_t height, int64_t width, int quality, Scratch& scratch);

}  // namespace penstock
