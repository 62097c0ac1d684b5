// The inverse DCT of JPEG blocks to fewer samples than they have coefficients.
#pragma once

#include <algorithm>
#include <cstdint>

#include "codecs/jpeg/idct.h"
#include "codecs/jpeg/vector_code.h"

namespace penstock {

#ifdef PENSTOCK_JPEG_VECTORS
/// The only sample that is made of a block, of its first coefficient: its mean.
inline uint8_t inverse_dct_1x1(JCOEF coefficient, int16_t factor) {
  const int32_t mean = (int32_t{coefficient} * factor + 4) >> 3;
  const int32_t wrapped = ((mean + 512) & 1023) - 512;  // libjpeg looks it up by ten bits
  return static_cast<uint8_t>(std::clamp(wrapped, -CENTERJSAMPLE, CENTERJSAMPLE - 1) + CENTERJSAMPLE);
}

/// Makes 2x2 samples of each block, to the last bit as libjpeg's vector code does: sums wrap and saturate where its do.
/// May be called only where has_jpeg_vectors().
void inverse_dct_2x2(const InverseDct* blocks, int count);
#endif

}  // namespace penstock
