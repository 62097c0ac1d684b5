// Chroma at half the resolution brought to that of luma, as libjpeg's "fancy" upsampling does it.
#pragma once

#include <cstdint>

#include "codecs/jpeg/vector_code.h"

namespace penstock {

#ifdef PENSTOCK_JPEG_VECTORS
/// Both write 2 * `samples` values, rounded up to whole vectors: `out` has kUpsamplePadding bytes to spare, and so have
/// the rows read, which also have a neighbour on each side of what is asked for. May be called only where
/// has_jpeg_vectors().
inline constexpr int64_t kUpsamplePadding = 32;

/// Three quarters of a sample and one quarter of the neighbour on that side.
void upsample_columns(uint8_t* out, const uint8_t* row, int64_t samples);

/// The same of three quarters of `near` and one quarter of `far`, the rows above and below of the result.
void upsample_both(uint8_t* out, const uint8_t* near, const uint8_t* far, int64_t samples);
#endif

}  // namespace penstock
