// Ground truth for single-shot detectors: every anchor is given the box it should find, if any.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "memory/scratch.h"

namespace penstock {

class BoxEncoder {
 public:
  /// How distances from the anchor are scaled: (distance - mean) / deviation, for x, y, width and height.
  struct Offsets {
    std::array<float, 4> mean, deviation;
    float scale;
  };

  /// `anchors` are left, top, right, bottom. A box belongs to anchors that overlap with it by more than `criteria`, as
  /// intersection over union, and to the one that does most. Without `offsets` results are centres and sizes.
  BoxEncoder(std::span<const float> anchors, float criteria, std::optional<Offsets> offsets);

  int64_t anchors() const { return static_cast<int64_t>(area_.size()); }

  /// Four numbers and a label for every anchor; the label is 0 where there is no box.
  void operator()(float* encoded, int32_t* labels, const float* boxes, const int32_t* classes, int64_t n,
                  Scratch& scratch) const;

 private:
  void encode(float* out, const float* box, int64_t anchor) const;

  std::vector<float> left_, top_, right_, bottom_, area_;
  std::vector<float> unmatched_;  // what is told for every anchor without a box
  std::vector<float> centred_;    // the anchors as centres and sizes
  float criteria_;
  std::optional<Offsets> offsets_;
};

}  // namespace penstock
