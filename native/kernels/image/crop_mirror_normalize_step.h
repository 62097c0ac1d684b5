// The step that crops, mirrors, normalises and changes the layout in one pass.
#pragma once

#include "kernels/array/extract_step.h"
#include "kernels/image/crop_mirror_normalize.h"
#include "kernels/step.h"

namespace penstock {

/// Cuts out a window, mirrors, normalises and changes the layout of images.
class CropMirrorNormalize : public Step {
 public:
  struct Options {
    Border border = Border::error;
    std::vector<float> fill{0};  // one value, or one per output channel
    PerSample<int32_t> mirror{0};
    PerSampleRows<float> mean, std;  // one value a row, or one per channel
    float scale = 1;
    float shift = 0;
    bool pads_channels = false;  // to a power of two
    int width_axis = 1;
    int channel_axis = 2;
    std::vector<int> order;  // axis k of the output is axis order[k] of the input
    DType dtype = DType::f32;
  };
  CropMirrorNormalize(std::shared_ptr<const WindowRule> rule, Options options);

  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  bool infers_alike() const override { return options_.border != Border::trim && rule_->sizes_are_alike(); }
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override {
    normalize_part(sample, out, in, Part(in.shape), scratch);
  }
  bool takes_parts() const override { return true; }
  bool run_part(size_t sample, View out, ConstView in, const Part& part, Scratch& scratch) const override;

 private:
  /// Does the work by the shortest way, where RGB bytes become planes of floats and nothing lies beyond the image;
  /// false where they do not, and nothing has been done.
  bool normalize_rgb_part(size_t sample, View out, ConstView in, const Part& part, const Scratch& scratch) const;
  void normalize_part(size_t sample, View out, ConstView in, const Part& part, Scratch& scratch) const;
  int64_t out_channels(int64_t channels) const;
  void check_channels(int64_t channels) const;
  /// The mean and inverse standard deviation of every channel, with scale and shift worked in.
  void put_factors(float* mean, float* inverse, size_t sample, int64_t channels) const;

  std::shared_ptr<const WindowRule> rule_;
  Options options_;
  bool makes_planes_;  // of images with axes H, W, C, and of floats
  bool takes_all_;
  bool has_factors_;  // of RGB, the same for all samples
  float rgb_mean_[3] = {}, rgb_inverse_[3] = {};
};

}  // namespace penstock
