// The inverse DCT of JPEG blocks, two at once.
#pragma once

#include <cstdint>

#include "codecs/jpeg/libjpeg.h"
#include "codecs/jpeg/vector_code.h"

namespace penstock {

/// A block's coefficients, what to multiply them by, and where its 8x8 samples go.
struct InverseDct {
  JCOEF* coefficients;     // aligned to 32 bytes; zeros afterwards
  const int16_t* factors;  // of the quantisation, aligned to 32 bytes
  uint8_t* samples;
  int64_t stride;
};

#ifdef PENSTOCK_JPEG_VECTORS
/// Makes the samples of an even number of blocks, to the last bit as libjpeg's islow transform does. May be called only
/// where has_jpeg_vectors().
void inverse_dct(const InverseDct* blocks, int count);

/// The same of blocks that have zeros beyond their first four rows and columns, where the first kCornerPlaces
/// coefficients of a JPEG's order stand, and of any number of blocks that have only the first coefficient.
inline constexpr unsigned kCornerPlaces = 10;
void inverse_dct_corner(const InverseDct* blocks, int count);
void inverse_dct_flat(const InverseDct* blocks, int count);
#endif

}  // namespace penstock
