#include "kernels/boxes/boxes.h"

#include <utility>

namespace penstock {
namespace {

// One axis of a box: from `first` to `last`, or of the size `last`.
void flip_axis(float* out, float first, float last, BoxForm form, bool mirrored) {
  if (form == BoxForm::corner_and_size) last = first + last;
  if (mirrored) {
    std::swap(first, last);
    first = 1 - first;
    last = 1 - last;
  }
  out[0] = first;
  out[2] = form == BoxForm::corners ? last : last - first;
}

}  // namespace

void flip_boxes(float* out, const float* in, int64_t n, BoxForm form, bool horizontal, bool vertical) {
  for (int64_t i = 0; i < 4 * n; i += 4) {
    flip_axis(out + i, in[i], in[i + 2], form, horizontal);
    flip_axis(out + i + 1, in[i + 1], in[i + 3], form, vertical);
  }
}

void paste_boxes(float* out, const float* in, int64_t n, BoxForm form, float ratio, float x, float y) {
  const float scale = 1 / ratio, room = (ratio - 1) / ratio;
  const float shift[4] = {x * room, y * room, form == BoxForm::corners ? x * room : 0,
                          form == BoxForm::corners ? y * room : 0};
  for (int64_t i = 0; i < 4 * n; ++i) out[i] = in[i] * scale + shift[i % 4];
}

}  // namespace penstock
