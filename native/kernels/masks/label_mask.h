// Outlines and run lengths of objects, painted into an image of labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace penstock {

/// A label for every pixel, row by row.
struct LabelImage {
  int32_t* pixels = nullptr;
  int64_t height = 0;
  int64_t width = 0;
};

/// The most crossings `paint_polygon` can need room for.
size_t most_crossings(std::span<const float> polygon, int64_t width);

/// Paints the inside of a polygon, x and y of its vertices in turn, exactly as COCO's own tools do.
void paint_polygon(LabelImage image, std::span<const float> polygon, int32_t label, int64_t* crossings);

/// Paints every second run, the first is left out. Runs go down the columns, and cover no more than the image.
void paint_runs(LabelImage image, std::span<const uint32_t> runs, int32_t label);

}  // namespace penstock
