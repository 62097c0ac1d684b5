// The step that pastes regions of several images onto one canvas.
#pragma once

#include <vector>

#include "kernels/step.h"
#include "memory/per_sample.h"
#include "memory/samples.h"

namespace penstock {

/// Where regions begin or how large they are: a height and a width for one region after the other.
struct RegionSides {
  PerSampleLists<float> values;
  bool is_share = false;  // of the sample they are about
};

/// Makes samples of regions of others, pasted one over the other on a black canvas.
class MultiPaste : public Step {
 public:
  struct Arguments {
    std::vector<Samples> inputs;  // of axes H, W, C, or F, H, W, C; one sample may serve all
    PerSampleLists<int32_t> ids;  // which samples of the only input; without, region k is of input k
    PerSampleRows<int32_t> size;  // of the canvas; without, that of the inputs
    RegionSides in, shape, out;
    size_t batch = 1;
    DType dtype = DType::u8;
  };
  explicit MultiPaste(Arguments arguments);

  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;

 private:
  struct Rect {
    int64_t y = 0, x = 0;
  };
  struct Piece {
    ConstView source;
    Rect from, size, to;
    int64_t frames() const { return source.shape.ndim == 4 ? source.shape[0] : 1; }
    int64_t height() const { return source.shape[source.shape.ndim - 3]; }
    int64_t width() const { return source.shape[source.shape.ndim - 2]; }
    int64_t channels() const { return source.shape[source.shape.ndim - 1]; }
  };

  Rect canvas(size_t sample) const;
  ConstView source(size_t sample, size_t piece) const;
  std::vector<Piece> pieces(size_t sample, const Rect& canvas) const;
  /// The pieces on row `top`; they are also those of all rows up to `bottom`, which is brought nearer where they are
  /// not.
  static std::vector<Piece> band(const std::vector<Piece>& all, int64_t top, int64_t& bottom);
  /// Whether pieces side by side leave nothing of a row of `width` pixels free.
  static bool covers(const std::vector<Piece>& pieces, int64_t width);
  void place(Piece& piece, size_t sample, size_t index, const Rect& canvas) const;

  Arguments arguments_;
  bool alike_ = true;  // all samples are of one height and width
};

}  // namespace penstock
