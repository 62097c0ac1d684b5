// The colours of JPEGs, from three rows of samples to pixels, as libjpeg converts them.
#pragma once

#include <cstdint>

#include "codecs/jpeg/vector_code.h"

namespace penstock {

#ifdef PENSTOCK_JPEG_VECTORS
/// Rows are read in whole vectors: they have kColorPadding bytes to spare. `out` gets `pixels` pixels and no more.
/// May be called only where has_jpeg_vectors().
inline constexpr int64_t kColorPadding = 64;

/// `bgr` puts blue first.
void ycc_to_rgb(uint8_t* out, const uint8_t* y, const uint8_t* cb, const uint8_t* cr, int64_t pixels, bool bgr);
#endif

}  // namespace penstock
