#include "kernels/masks/select_masks.h"

#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace penstock {
namespace {

void check_range(const Polygon& polygon, int64_t vertices) {
  if (polygon.first >= 0 && polygon.first <= polygon.last && polygon.last <= vertices) return;
  throw std::runtime_error("a polygon of mask " + std::to_string(polygon.mask) + " goes from vertex " +
                           std::to_string(polygon.first) + " to " + std::to_string(polygon.last) + " of " +
                           std::to_string(vertices));
}

}  // namespace

std::vector<SelectedPolygon> select_polygons(std::span<const int32_t> masks, std::span<const Polygon> polygons,
                                             int64_t vertices, bool renumber) {
  std::unordered_map<int32_t, std::vector<int32_t>> of_mask;
  for (size_t i = 0; i < polygons.size(); ++i) of_mask[polygons[i].mask].push_back(static_cast<int32_t>(i));
  std::vector<SelectedPolygon> selected;
  for (size_t place = 0; place < masks.size(); ++place) {
    const auto found = of_mask.find(masks[place]);
    if (found == of_mask.end())
      throw std::runtime_error("Selected mask_id " + std::to_string(masks[place]) + " is not present in the input");
    if (found->second.empty()) throw std::runtime_error("mask " + std::to_string(masks[place]) + " is named twice");
    for (const int32_t polygon : found->second) {
      check_range(polygons[polygon], vertices);
      selected.push_back({renumber ? static_cast<int32_t>(place) : masks[place], polygon});
    }
    found->second.clear();
  }
  return selected;
}

int64_t count_vertices(std::span<const SelectedPolygon> selected, std::span<const Polygon> polygons) {
  int64_t count = 0;
  for (const SelectedPolygon& one : selected) count += polygons[one.polygon].last - polygons[one.polygon].first;
  if (count > std::numeric_limits<int32_t>::max())
    throw std::runtime_error("the polygons have " + std::to_string(count) + " vertices, more than int32 can number");
  return count;
}

void copy_polygons(Polygon* out, std::byte* out_vertices, std::span<const SelectedPolygon> selected,
                   std::span<const Polygon> polygons, ConstView vertices) {
  const int64_t row = vertices.shape[1] * item_bytes(vertices.dtype);
  int32_t filled = 0;
  for (const SelectedPolygon& one : selected) {
    const Polygon& polygon = polygons[one.polygon];
    const int32_t count = polygon.last - polygon.first;
    if (count) std::memcpy(out_vertices + filled * row, vertices.data + polygon.first * row, count * row);
    *out++ = {one.id, filled, filled + count};
    filled += count;
  }
}

}  // namespace penstock
