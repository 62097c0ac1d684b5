// Boxes, labels and masks of the images of a COCO data set, a batch at a time.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "memory/samples.h"
#include "runtime/pool.h"

namespace penstock {

/// Lists that somebody else keeps. Annotation `order[k]` belongs to image i for k from image_starts[i] to the next;
/// masks may be missing altogether, and then their starts are empty.
struct CocoLists {
  std::span<const int32_t> widths, heights;
  std::span<const int64_t> image_starts, order;
  std::span<const float> boxes;
  std::span<const int32_t> labels;
  std::span<const int64_t> polygon_starts, vertex_starts;
  std::span<const float> vertices;
  std::span<const int64_t> run_starts;
  std::span<const uint32_t> runs;
};

class CocoTable {
 public:
  /// Throws where the lists do not fit together.
  CocoTable(CocoLists lists, std::shared_ptr<void> owner);

  int64_t size() const { return static_cast<int64_t>(lists_.image_starts.size()) - 1; }
  void check(std::span<const int64_t> images) const;

  /// x, y, width and height, or left, top, right and bottom; in pixels, or as a share of the image.
  Samples boxes(std::span<const int64_t> images, bool ltrb, bool ratio) const;
  Samples labels(std::span<const int64_t> images) const;
  /// Rows of the number of the box, and the first and last vertex, each of which counts `width` times.
  Samples polygons(std::span<const int64_t> images, int32_t width) const;
  Samples vertices(std::span<const int64_t> images, bool ratio) const;
  /// The label of every pixel, 0 outside of all masks. Where they overlap, the largest label counts.
  Samples pixels(Pool& pool, std::span<const int64_t> images) const;

 private:
  std::span<const int64_t> annotations_of(int64_t image) const;
  void check_masks() const;
  void paint_image(View out, int64_t image, Scratch& scratch) const;

  CocoLists lists_;
  std::shared_ptr<void> owner_;
};

}  // namespace penstock
