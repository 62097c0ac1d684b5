// Boxes of a picture that is turned about its centre.
#pragma once

#include <cstdint>

#include "kernels/boxes/boxes.h"

namespace penstock {

struct BoxRotation {
  double cosine = 1, sine = 0;                 // of the angle, counter-clockwise
  double width = 0, height = 0;                // of the picture
  double canvas_width = 0, canvas_height = 0;  // of the picture after turning
};

struct BoxRotationStyle {
  BoxForm form = BoxForm::corners;
  bool normalized = true;  // boxes are in shares of the picture
  double expansion = 1;    // from 0, boxes keep their size, to 1, they contain all of the turned box
  double threshold = 0;    // boxes with a smaller share of their area on the canvas are left out
};

/// Writes the boxes that remain, cut at the edges of the canvas, and their indices; returns how many there are.
int64_t rotate_boxes(float* out, int32_t* kept, const float* in, int64_t n, const BoxRotation& rotation,
                     const BoxRotationStyle& style);

}  // namespace penstock
