// The annotations of a COCO data set, as its JSON file has them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codecs/json/json_reader.h"

namespace penstock {

struct CocoChoice {
  /// Annotations whose boxes are smaller in either direction are left out.
  float size_threshold = 0;
  bool include_crowds = true;
  bool polygons = false;
  bool runs = false;
};

/// Lists of all images, categories and annotations. Ranges lie between an element of `*_starts` and the next.
struct CocoFile {
  std::string names;  // each closed by a zero byte
  std::vector<int32_t> image_ids, widths, heights;
  std::vector<int32_t> category_ids;

  /// Of the annotations that are kept: their places in the file, what they refer to, and x, y, width and height.
  std::vector<int64_t> places;
  std::vector<int32_t> image_of, category_of;
  std::vector<float> boxes;

  /// The polygons of each annotation, and the vertices of each polygon: x and y.
  std::vector<int64_t> polygon_starts{0}, vertex_starts{0};
  std::vector<float> vertices;
  /// The run lengths of each annotation that has some, and the height and width they are for, or -1.
  std::vector<int64_t> run_starts{0};
  std::vector<uint32_t> runs;
  std::vector<int32_t> run_extents;
};

/// Throws runtime_error, and invalid_argument for boxes that are not four numbers, telling the place.
CocoFile read_coco(ByteSource& source, const CocoChoice& choice);

}  // namespace penstock
