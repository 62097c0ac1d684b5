// Polygons of chosen masks, with the vertices they need.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "memory/view.h"

namespace penstock {

/// A polygon as it is kept in an array: which mask it belongs to, and the range of its vertices.
struct Polygon {
  int32_t mask, first, last;
};

struct SelectedPolygon {
  int32_t id;       // what its mask is called in the result
  int32_t polygon;  // its index
};

/// The polygons of the masks, one mask after the other. Throws std::runtime_error for masks named twice or without
/// polygons, and for ranges outside of the vertices.
std::vector<SelectedPolygon> select_polygons(std::span<const int32_t> masks, std::span<const Polygon> polygons,
                                             int64_t vertices, bool renumber);

/// How many vertices they have. Throws std::runtime_error where they are too many to be numbered.
int64_t count_vertices(std::span<const SelectedPolygon> selected, std::span<const Polygon> polygons);

/// Writes the selected polygons, and one after the other their vertices, which are rows of an array.
void copy_polygons(Polygon* out, std::byte* out_vertices, std::span<const SelectedPolygon> selected,
                   std::span<const Polygon> polygons, ConstView vertices);

}  // namespace penstock
