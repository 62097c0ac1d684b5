#include "kernels/boxes/box_encoder.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "cpu/newest.h"

namespace penstock {
namespace {

struct Anchors {
  const float *left, *top, *right, *bottom, *area;
  int64_t n;
};

// The overlap of a box with every anchor. Anchors it is the best for are noted; of boxes alike the last one counts.
// Overlaps are not negative, so their bits compare as they do, and compare as integers in vectors. Returns the largest.
PENSTOCK_INLINE inline int32_t overlaps(int32_t* __restrict overlap, int32_t* __restrict best,
                                        int32_t* __restrict best_box, Anchors anchors, const float* box,
                                        int32_t index) {
  const float* const __restrict lefts = anchors.left, * const __restrict tops = anchors.top;
  const float* const __restrict rights = anchors.right, * const __restrict bottoms = anchors.bottom;
  const float* const __restrict areas = anchors.area;
  const float left = box[0], top = box[1], right = box[2], bottom = box[3];
  const float area = (right - left) * (bottom - top);
  int32_t most = 0;
  for (int64_t i = 0; i < anchors.n; ++i) {
    const float width = std::min(right, rights[i]) - std::max(left, lefts[i]);
    const float height = std::min(bottom, bottoms[i]) - std::max(top, tops[i]);
    const float common = width * height;
    const float share = common / (areas[i] + area - common);
    const int32_t bits = std::bit_cast<int32_t>(share);
    const int32_t seen = ((width > 0) & (height > 0) & (share >= 0)) ? bits : 0;
    overlap[i] = seen;
    best_box[i] = seen >= best[i] ? index : best_box[i];
    best[i] = std::max(seen, best[i]);
    most = std::max(most, seen);
  }
  return most;
}

/// The last place where `values` has `wanted`; 0 where it has not.
int64_t last_place(const int32_t* values, int64_t n, int32_t wanted) {
  while (n > 1 && values[n - 1] != wanted) --n;
  return n - 1;
}

void to_centre(float* out, const float* box) {
  out[0] = 0.5f * (box[0] + box[2]);
  out[1] = 0.5f * (box[1] + box[3]);
  out[2] = box[2] - box[0];
  out[3] = box[3] - box[1];
}

}  // namespace

BoxEncoder::BoxEncoder(std::span<const float> anchors, float criteria, std::optional<Offsets> offsets)
    : centred_(anchors.size()), criteria_(criteria), offsets_(offsets) {
  for (size_t i = 0; i < anchors.size(); i += 4) {
    const float* box = &anchors[i];
    left_.push_back(box[0]);
    top_.push_back(box[1]);
    right_.push_back(box[2]);
    bottom_.push_back(box[3]);
    area_.push_back((box[2] - box[0]) * (box[3] - box[1]));
    to_centre(&centred_[i], box);
  }
  unmatched_ = offsets ? std::vector<float>(anchors.size()) : centred_;
  if (offsets)
    for (float& value : centred_) value *= offsets->scale;
}

void BoxEncoder::encode(float* out, const float* box, int64_t anchor) const {
  to_centre(out, box);
  if (!offsets_) return;
  const float* base = &centred_[4 * anchor];
  for (int k = 0; k < 4; ++k) {
    const float scaled = out[k] * offsets_->scale;
    const float distance = k < 2 ? (scaled - base[k]) / base[k + 2] : std::log(scaled / base[k]);
    out[k] = (distance - offsets_->mean[k]) / offsets_->deviation[k];
  }
}

void BoxEncoder::operator()(float* encoded, int32_t* labels, const float* boxes, const int32_t* classes, int64_t n,
                            Scratch& scratch) const {
  const int64_t count = anchors();
  std::memcpy(encoded, unmatched_.data(), unmatched_.size() * sizeof(float));
  std::fill_n(labels, count, 0);
  if (n == 0 || count == 0) return;
  int32_t* overlap = scratch.array<int32_t>(kStepTemp, count);
  int32_t* best = scratch.array<int32_t>(kStepTables, count);
  int32_t* best_box = scratch.array<int32_t>(kStepFactors, count);
  std::fill_n(best, count, 0);
  const Anchors all{left_.data(), top_.data(), right_.data(), bottom_.data(), area_.data(), count};
  std::vector<int64_t> own(n);
  for (int64_t i = 0; i < n; ++i) {
    const int32_t most = newest<overlaps>(overlap, best, best_box, all, boxes + 4 * i, static_cast<int32_t>(i));
    own[i] = last_place(overlap, count, most);
  }
  for (int64_t i = 0; i < n; ++i) {
    best_box[own[i]] = static_cast<int32_t>(i);
    best[own[i]] = std::numeric_limits<int32_t>::max();
  }
  const auto criteria = std::bit_cast<int32_t>(criteria_ + 0.0f);
  for (int64_t anchor = 0; anchor < count; ++anchor) {
    if (best[anchor] <= criteria) continue;
    labels[anchor] = classes[best_box[anchor]];
    encode(encoded + 4 * anchor, boxes + 4 * best_box[anchor], anchor);
  }
}

}  // namespace penstock
