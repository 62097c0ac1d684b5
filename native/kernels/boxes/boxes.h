// Boxes of a picture: four numbers each, either two corners (left, top, right, bottom) or a corner and a size.
#pragma once

#include <cstdint>

namespace penstock {

enum class BoxForm { corners, corner_and_size };

/// Mirrors n boxes given in shares of the picture.
void flip_boxes(float* out, const float* in, int64_t n, BoxForm form, bool horizontal, bool vertical);

/// Where n boxes lie when the picture is put on a canvas `ratio` times as large; x and y tell where, from 0 to 1.
void paste_boxes(float* out, const float* in, int64_t n, BoxForm form, float ratio, float x, float y);

}  // namespace penstock
