#include "kernels/boxes/box_crop.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "kernels/random/draws.h"

PENSTOCK_NO_CONTRACTION

namespace penstock {
namespace {

// A search without a limit ends here: what was not found by now cannot be.
constexpr int64_t kMostAttempts = 1'000'000;
// Rounding may lift a window this much above the largest size.
constexpr float kOneAndABit = 1 + 1e-6f;
constexpr int kPairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};

/// One search: what is drawn, tried and found for one picture.
class Search {
 public:
  Search(const Philox& sequence, const BoxCropRule& rule, const BoxLayout& layout, const float* rows, int64_t n,
         const BoxCropSizes& sizes)
      : words_(sequence), rule_(rule), layout_(layout), ndim_(layout.ndim), sizes_(sizes) {
    boxes_.reserve(n);
    volumes_.reserve(n);
    for (int64_t i = 0; i < n; ++i) {
      boxes_.push_back(read(rows + i * 2 * ndim_));
      volumes_.push_back(volume(boxes_.back(), ndim_));
    }
    for (int d = 0; d < ndim_; ++d) picture_[d] = sizes.picture ? static_cast<float>((*sizes.picture)[d]) : 1;
  }

  BoxCrop find();

 private:
  struct Window {
    BoxRange range;
    BoxPoint anchor{}, extent{};
  };

  BoxRange read(const float* row) const;
  std::optional<Window> draw();
  Window draw_of_size(const std::array<int32_t, kMaxBoxDims>& size);
  std::optional<BoxPoint> draw_extent();
  void tie(BoxPoint& extent) const;
  void enlarge(BoxPoint& extent, const BoxPoint& tied, const BoxPoint& drawn,
               const std::array<bool, kMaxBoxDims>& mine) const;
  float overlap(const BoxRange& window) const;
  bool keeps(const BoxRange& box, const BoxRange& window) const;
  std::vector<int32_t> kept(const BoxRange& window) const;
  BoxCrop made(const Window& window, std::vector<int32_t> kept) const;
  BoxCrop whole() const;

  PhiloxReader words_;
  const BoxCropRule& rule_;
  const BoxLayout& layout_;
  int ndim_;
  const BoxCropSizes& sizes_;
  std::vector<BoxRange> boxes_;
  std::vector<float> volumes_;
  BoxPoint picture_{};
};

BoxRange Search::read(const float* row) const {
  const BoxRange box = layout_.read(row);
  for (int d = 0; d < ndim_; ++d)
    if (!(box.low[d] >= 0 && box.high[d] <= 1))
      throw std::runtime_error("a box from " + std::to_string(box.low[d]) + " to " + std::to_string(box.high[d]) +
                               " is not in the picture; boxes are in shares of it, from 0 to 1");
  return box;
}

// A window larger than the picture lies anywhere around it.
Search::Window Search::draw_of_size(const std::array<int32_t, kMaxBoxDims>& size) {
  Window window;
  for (int d = 0; d < ndim_; ++d) {
    const int64_t room = int64_t{(*sizes_.picture)[d]} - size[d];
    const int64_t first = std::min<int64_t>(room, 0), places = std::abs(room) + 1;
    window.anchor[d] =
        room ? static_cast<float>(first + int64_t{even_share(words_, static_cast<uint32_t>(places))}) : 0;
    window.extent[d] = static_cast<float>(size[d]);
    window.range.low[d] = window.anchor[d] / picture_[d];
    window.range.high[d] = window.range.low[d] + window.extent[d] / picture_[d];
  }
  return window;
}

// Gives extents of a fixed ratio that ratio, the largest as large as any of them was drawn.
void Search::tie(BoxPoint& extent) const {
  BoxPoint drawn{}, tied{};
  std::array<bool, kMaxBoxDims> done{};
  for (int d = 0; d < ndim_; ++d) drawn[d] = extent[d] * picture_[d];
  for (int root = 0; root < ndim_; ++root) {
    if (done[root]) continue;
    std::array<bool, kMaxBoxDims> mine{};
    tied[root] = drawn[root];
    mine[root] = true;
    for (int round = 0; round < 2; ++round)
      for (int k = 0; k < (ndim_ == 2 ? 1 : 3); ++k) {
        const auto [first, second] = kPairs[k];
        const Interval ratio = rule_.aspect_ratio[k];
        if (ratio.low != ratio.high || mine[first] == mine[second]) continue;
        if (mine[first])
          tied[second] = tied[first] / ratio.low;
        else
          tied[first] = tied[second] * ratio.low;
        mine[first] = mine[second] = done[first] = done[second] = true;
      }
    if (done[root]) enlarge(extent, tied, drawn, mine);
  }
}

// Scales what is tied to the largest of what was drawn, or as far as `scaling` allows.
void Search::enlarge(BoxPoint& extent, const BoxPoint& tied, const BoxPoint& drawn,
                     const std::array<bool, kMaxBoxDims>& mine) const {
  float most_drawn = 0, most = 0, over = 0;
  for (int d = 0; d < ndim_; ++d)
    if (mine[d]) most_drawn = std::max(most_drawn, drawn[d]), most = std::max(most, tied[d]);
  if (!(most > 0)) return;
  for (int d = 0; d < ndim_; ++d) {
    if (!mine[d]) continue;
    extent[d] = tied[d] / most * most_drawn / picture_[d];
    over = std::max(over, extent[d] / rule_.scaling.high);
  }
  if (over > kOneAndABit)
    for (int d = 0; d < ndim_; ++d)
      if (mine[d]) extent[d] /= over;
}

std::optional<BoxPoint> Search::draw_extent() {
  BoxPoint extent{};
  for (int d = 0; d < ndim_; ++d)
    extent[d] = unit<float>(words_) * (rule_.scaling.high - rule_.scaling.low) + rule_.scaling.low;
  tie(extent);
  for (int k = 0; k < (ndim_ == 2 ? 1 : 3); ++k) {
    const auto [first, second] = kPairs[k];
    const Interval allowed = rule_.aspect_ratio[k];
    if (allowed.low == allowed.high) continue;
    const float ratio = (extent[first] * picture_[first]) / (extent[second] * picture_[second]);
    if (!(ratio >= allowed.low && ratio <= allowed.high)) return std::nullopt;
  }
  return extent;
}

std::optional<Search::Window> Search::draw() {
  if (sizes_.window) return draw_of_size(*sizes_.window);
  const std::optional<BoxPoint> extent = draw_extent();
  if (!extent) return std::nullopt;
  Window window;
  for (int d = 0; d < ndim_; ++d) {
    window.range.low[d] = unit<float>(words_) * (1 - (*extent)[d]);
    window.range.high[d] = window.range.low[d] + (*extent)[d];
    window.anchor[d] = window.range.low[d];
    window.extent[d] = window.range.high[d] - window.range.low[d];
  }
  return window;
}

/// The overlap that counts: the least of all boxes, or the largest.
float Search::overlap(const BoxRange& window) const {
  if (boxes_.empty()) return 1;
  const float of_window = volume(window, ndim_);
  float counts = rule_.all_boxes ? 1 : 0;
  for (size_t i = 0; i < boxes_.size(); ++i) {
    const float both = volume(common(boxes_[i], window, ndim_), ndim_);
    const float share = both > 0 ? both / (rule_.by_box ? volumes_[i] : volumes_[i] + of_window - both) : 0;
    counts = rule_.all_boxes ? std::min(counts, share) : std::max(counts, share);
  }
  return counts;
}

bool Search::keeps(const BoxRange& box, const BoxRange& window) const {
  if (rule_.prune) {
    const float share = volume(common(box, window, ndim_), ndim_) / volume(box, ndim_);
    return share > 0 && share >= *rule_.prune;
  }
  for (int d = 0; d < ndim_; ++d)
    if (const float centre = (box.low[d] + box.high[d]) * 0.5f; !(centre >= window.low[d] && centre <= window.high[d]))
      return false;
  return true;
}

std::vector<int32_t> Search::kept(const BoxRange& window) const {
  std::vector<int32_t> indices;
  for (size_t i = 0; i < boxes_.size(); ++i)
    if (keeps(boxes_[i], window)) indices.push_back(static_cast<int32_t>(i));
  return indices;
}

BoxCrop Search::made(const Window& window, std::vector<int32_t> kept) const {
  BoxCrop crop{window.anchor, window.extent, std::vector<float>(kept.size() * 2 * ndim_), std::move(kept)};
  for (size_t k = 0; k < crop.kept.size(); ++k) {
    BoxRange box = boxes_[crop.kept[k]];
    for (int d = 0; d < ndim_; ++d) {
      const float size = window.range.high[d] - window.range.low[d];
      box.low[d] = std::clamp((box.low[d] - window.range.low[d]) / size, 0.0f, 1.0f);
      box.high[d] = std::clamp((box.high[d] - window.range.low[d]) / size, 0.0f, 1.0f);
    }
    layout_.write(&crop.boxes[k * 2 * ndim_], box);
  }
  return crop;
}

BoxCrop Search::whole() const {
  BoxCrop crop{{}, {1, 1, 1}, std::vector<float>(boxes_.size() * 2 * ndim_), std::vector<int32_t>(boxes_.size())};
  for (size_t i = 0; i < boxes_.size(); ++i) {
    crop.kept[i] = static_cast<int32_t>(i);
    layout_.write(&crop.boxes[i * 2 * ndim_], boxes_[i]);
  }
  return crop;
}

// Of the windows tried with one threshold the last that overlaps enough is taken, and given up where it keeps no box.
BoxCrop Search::find() {
  const auto thresholds = static_cast<uint32_t>(rule_.thresholds.size());
  std::optional<Window> best;
  float most = -1;
  for (int64_t tried = 0; rule_.total_attempts < 0 || tried < rule_.total_attempts;) {
    if (tried >= kMostAttempts)
      throw std::runtime_error("no window met the conditions in " + std::to_string(tried) +
                               " attempts; with total_num_attempts the best one is taken");
    const uint32_t choice = even_share(words_, thresholds + rule_.may_keep_all);
    if (choice == thresholds) return whole();
    bool found = false;
    for (int i = 0; i < rule_.attempts; ++i, ++tried) {
      const std::optional<Window> window = draw();
      if (!window) continue;
      const float share = overlap(window->range);
      const bool enough = share >= rule_.thresholds[choice];
      if (!enough && !(share > most)) continue;
      found = found || enough;
      best = window;
      most = share;
    }
    if (!found) continue;
    if (std::vector<int32_t> inside = kept(best->range); !inside.empty() || boxes_.empty())
      return made(*best, std::move(inside));
  }
  BoxCrop crop = best ? made(*best, kept(best->range)) : whole();
  crop.settled = false;
  return crop;
}

}  // namespace

BoxCrop draw_box_crop(const Philox& sequence, const BoxCropRule& rule, const BoxLayout& layout, const float* rows,
                      int64_t n, const BoxCropSizes& sizes) {
  return Search(sequence, rule, layout, rows, n, sizes).find();
}

}  // namespace penstock
