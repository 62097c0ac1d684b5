// The common part of all warps: for every pixel of the result, coordinates in the input that it is sampled at.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kernels/step.h"
#include "kernels/warp/sampler.h"
#include "memory/per_sample.h"

namespace penstock {

struct WarpOptions {
  Lookup lookup = Lookup::linear;
  Border border = Border::pad;  // what lies beyond the image
  std::vector<float> fill;      // one value, or one for every channel; in the range of the input's element type
  DType dtype = DType::u8;      // of the result: the input's, or either of them float32
  int channel_axis = 2;         // 2 for H, W, C; 0 for C, H, W; -1 where there is none
  PerSampleRows<int64_t> size;  // height and width of the result; none where it follows from the input
};

/// Height and width.
struct Extents {
  int64_t height = 0, width = 0;
};

/// The result of one sample while it is made.
class Canvas {
 public:
  /// `by_rows`: what a row of the result reads of the image is still in the second-level cache for the next.
  Canvas(View out, const SampledImage& image, SampleRow sample, bool by_rows)
      : out_(out), image_(image), sample_(sample), by_rows_(by_rows) {}

  Extents size() const { return {out_.shape[0], out_.shape[1]}; }
  Extents source() const { return {image_.height, image_.width}; }

  /// Calls locate(xs, ys, x, y, n) for the n pixels of row y from column x on, to be told where they come from. Whole
  /// rows where that is good for reading, because memory is written faster in order; else narrow strips one after the
  /// other, of which a row reads little of a turned image.
  template <typename Locate>
  void draw(const Locate& locate) const {
    const auto [height, width] = size();
    const int64_t strip = by_rows_ ? std::max<int64_t>(width, 1) : kSampleBlock;
    for (int64_t left = 0; left < width; left += strip)
      for (int64_t y = 0; y < height; ++y) draw_row(locate, left, std::min(left + strip, width), y);
  }

 private:
  template <typename Locate>
  void draw_row(const Locate& locate, int64_t left, int64_t right, int64_t y) const {
    const int64_t pixel = out_.shape[2] * item_bytes(out_.dtype);
    float xs[kSampleBlock], ys[kSampleBlock];
    for (int64_t x = left; x < right; x += kSampleBlock) {
      const int n = static_cast<int>(std::min<int64_t>(kSampleBlock, right - x));
      locate(xs, ys, x, y, n);
      sample_(image_, out_.data + (y * out_.shape[1] + x) * pixel, xs, ys, n);
    }
  }

  View out_;  // H, W, C
  const SampledImage& image_;
  SampleRow sample_;
  bool by_rows_;
};

class Warp : public Step {
 public:
  explicit Warp(WarpOptions options) : options_(std::move(options)) {}

  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;

 protected:
  /// Height and width of the result, where no size is given.
  virtual Extents canvas(size_t /*sample*/, Extents in) const { return in; }
  /// Whether the sample stays as it is.
  virtual bool passes(size_t /*sample*/) const { return false; }
  virtual void draw(size_t sample, const Canvas& canvas, Scratch& scratch) const = 0;

 private:
  void draw_plane(size_t sample, View out, ConstView in, const float* fill, Scratch& scratch) const;

  WarpOptions options_;
};

/// Refuses a sample that cannot be warped.
inline void require_warpable(bool condition, const std::string& message) {
  if (!condition) throw std::runtime_error(message);
}

}  // namespace penstock
