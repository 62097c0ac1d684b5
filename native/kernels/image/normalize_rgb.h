// Rows of RGB bytes made normalised planes of floats in one pass, with the vectors of the CPU.
#pragma once

#include <cstddef>
#include <cstdint>

namespace penstock {

/// Where the pixels lie. The first pixel of a row is the one at the lowest address, also where rows are mirrored.
struct RgbRows {
  const std::byte* first;
  int64_t stride;  // bytes from one row to the next, negative where they are taken from bottom to top
  int64_t count;
  int64_t width;  // pixels
  bool mirrored;  // left to right
};

/// Rows of fewer pixels are not taken; -1 where the CPU has nothing that this is written for.
int64_t narrowest_rgb_row();

/// Writes (x - mean) * inverse of each channel into its plane, the rows behind one another; `plane` floats lie between
/// the planes. To the same bits as `row_normalizer`.
void normalize_rgb(float* out, int64_t plane, const RgbRows& rows, const float* mean, const float* inverse);

}  // namespace penstock
