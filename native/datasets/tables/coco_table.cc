#include "datasets/tables/coco_table.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "kernels/masks/label_mask.h"

namespace penstock {
namespace {

constexpr int64_t kMostPixels = std::numeric_limits<int32_t>::max();

/// Where a list says that ranges start, `count` of them up to `end`.
void check_starts(std::span<const int64_t> starts, size_t count, size_t end, const char* what) {
  if (starts.size() != count + 1 || starts.front() != 0 || starts.back() != static_cast<int64_t>(end) ||
      !std::is_sorted(starts.begin(), starts.end()))
    throw std::invalid_argument(std::string("the lists of ") + what + " do not fit together");
}

template <typename T>
std::span<const T> range(std::span<const T> values, std::span<const int64_t> starts, int64_t i, int64_t width = 1) {
  return values.subspan(starts[i] * width, (starts[i + 1] - starts[i]) * width);
}

Samples made_of(DType dtype, std::span<const int64_t> images, int64_t width, const auto& count) {
  std::vector<Shape> shapes(images.size());
  for (size_t i = 0; i < images.size(); ++i) {
    shapes[i].ndim = width ? 2 : 1;
    shapes[i][0] = count(images[i]);
    if (width) shapes[i][1] = width;
  }
  return Samples::empty(dtype, width ? 2 : 1, std::move(shapes));
}

}  // namespace

CocoTable::CocoTable(CocoLists lists, std::shared_ptr<void> owner) : lists_(lists), owner_(std::move(owner)) {
  const size_t images = lists_.widths.size(), annotations = lists_.labels.size();
  check_starts(lists_.image_starts, images, lists_.order.size(), "images");
  if (lists_.heights.size() != images || lists_.boxes.size() != annotations * 4)
    throw std::invalid_argument("a width and a height for each image, a box for each label");
  for (const int64_t each : lists_.order)
    if (each < 0 || each >= static_cast<int64_t>(annotations)) throw std::invalid_argument("no such annotation");
  if (!lists_.polygon_starts.empty()) check_masks();
}

void CocoTable::check_masks() const {
  const size_t annotations = lists_.labels.size();
  if (lists_.vertex_starts.empty()) throw std::invalid_argument("polygons without a list of their vertices");
  check_starts(lists_.polygon_starts, annotations, lists_.vertex_starts.size() - 1, "polygons");
  check_starts(lists_.vertex_starts, lists_.vertex_starts.size() - 1, lists_.vertices.size() / 2, "vertices");
  if (lists_.vertices.size() % 2) throw std::invalid_argument("a vertex is x and y");
  check_starts(lists_.run_starts, annotations, lists_.runs.size(), "run lengths");
  for (int64_t image = 0; image < size(); ++image) {
    const int64_t pixels = int64_t{std::max(lists_.widths[image], 0)} * std::max(lists_.heights[image], 0);
    for (const int64_t each : annotations_of(image)) {
      int64_t covered = 0;
      for (const uint32_t run : range(lists_.runs, lists_.run_starts, each)) covered += run;
      if (covered > pixels) throw std::invalid_argument("run lengths reach beyond an image");
    }
  }
}

void CocoTable::check(std::span<const int64_t> images) const {
  for (const int64_t image : images)
    if (image < 0 || image >= size()) throw std::out_of_range("there is no image " + std::to_string(image));
}

std::span<const int64_t> CocoTable::annotations_of(int64_t image) const {
  return range(lists_.order, lists_.image_starts, image);
}

Samples CocoTable::boxes(std::span<const int64_t> images, bool ltrb, bool ratio) const {
  Samples made = made_of(DType::f32, images, 4, [&](int64_t image) { return annotations_of(image).size(); });
  for (size_t i = 0; i < images.size(); ++i) {
    auto* out = reinterpret_cast<float*>(made.data(i));
    const auto width = static_cast<float>(lists_.widths[images[i]]);
    const auto height = static_cast<float>(lists_.heights[images[i]]);
    for (const int64_t each : annotations_of(images[i])) {
      const float* box = lists_.boxes.data() + each * 4;
      const float right = ltrb ? box[0] + box[2] : box[2], bottom = ltrb ? box[1] + box[3] : box[3];
      const float values[] = {box[0], box[1], right, bottom};
      for (int axis = 0; axis < 4; ++axis) *out++ = ratio ? values[axis] / (axis % 2 ? height : width) : values[axis];
    }
  }
  return made;
}

Samples CocoTable::labels(std::span<const int64_t> images) const {
  Samples made = made_of(DType::i32, images, 0, [&](int64_t image) { return annotations_of(image).size(); });
  for (size_t i = 0; i < images.size(); ++i) {
    auto* out = reinterpret_cast<int32_t*>(made.data(i));
    for (const int64_t each : annotations_of(images[i])) *out++ = lists_.labels[each];
  }
  return made;
}

Samples CocoTable::polygons(std::span<const int64_t> images, int32_t width) const {
  const auto polygons_of = [&](int64_t each) { return lists_.polygon_starts[each + 1] - lists_.polygon_starts[each]; };
  Samples made = made_of(DType::i32, images, 3, [&](int64_t image) {
    int64_t count = 0;
    for (const int64_t each : annotations_of(image)) count += polygons_of(each);
    return count;
  });
  for (size_t i = 0; i < images.size(); ++i) {
    auto* out = reinterpret_cast<int32_t*>(made.data(i));
    int32_t box = 0, vertex = 0;
    for (const int64_t each : annotations_of(images[i])) {
      for (int64_t k = lists_.polygon_starts[each]; k < lists_.polygon_starts[each + 1]; ++k) {
        const auto count = static_cast<int32_t>(lists_.vertex_starts[k + 1] - lists_.vertex_starts[k]);
        *out++ = box;
        *out++ = vertex * width;
        *out++ = (vertex += count) * width;
      }
      ++box;
    }
  }
  return made;
}

Samples CocoTable::vertices(std::span<const int64_t> images, bool ratio) const {
  const auto vertices_of = [&](int64_t each) {
    const int64_t first = lists_.vertex_starts[lists_.polygon_starts[each]];
    const int64_t last = lists_.vertex_starts[lists_.polygon_starts[each + 1]];
    return lists_.vertices.subspan(first * 2, (last - first) * 2);
  };
  Samples made = made_of(DType::f32, images, 2, [&](int64_t image) {
    int64_t count = 0;
    for (const int64_t each : annotations_of(image)) count += static_cast<int64_t>(vertices_of(each).size() / 2);
    return count;
  });
  for (size_t i = 0; i < images.size(); ++i) {
    auto* out = reinterpret_cast<float*>(made.data(i));
    const auto width = static_cast<float>(lists_.widths[images[i]]);
    const auto height = static_cast<float>(lists_.heights[images[i]]);
    for (const int64_t each : annotations_of(images[i])) {
      const std::span<const float> corners = vertices_of(each);
      if (!ratio) out = std::copy(corners.begin(), corners.end(), out);
      for (size_t k = 0; ratio && k < corners.size(); ++k) *out++ = corners[k] / (k % 2 ? height : width);
    }
  }
  return made;
}

Samples CocoTable::pixels(Pool& pool, std::span<const int64_t> images) const {
  std::vector<Shape> shapes;
  for (const int64_t image : images) {
    const int64_t height = lists_.heights[image], width = lists_.widths[image];
    if (height < 1 || width < 1 || height > kMostPixels / width) throw std::invalid_argument("no size of an image");
    shapes.push_back({3, {height, width, 1}});
  }
  Samples made = Samples::empty(DType::i32, 3, std::move(shapes));
  made.layout = "HWC";
  pool.for_each(images.size(), [&](size_t i, Scratch& scratch) { paint_image(made.view(i), images[i], scratch); });
  return made;
}

void CocoTable::paint_image(View out, int64_t image, Scratch& scratch) const {
  const LabelImage painted{out.as<int32_t>(), out.shape[0], out.shape[1]};
  std::fill_n(painted.pixels, out.shape.volume(), 0);
  const std::span<const int64_t> all = annotations_of(image);
  int64_t* const by_label = scratch.array<int64_t>(kStepTables, all.size());
  std::copy(all.begin(), all.end(), by_label);
  std::sort(by_label, by_label + all.size(), [&](int64_t a, int64_t b) { return lists_.labels[a] < lists_.labels[b]; });
  for (const int64_t each : std::span(by_label, all.size())) {
    for (int64_t k = lists_.polygon_starts[each]; k < lists_.polygon_starts[each + 1]; ++k) {
      const std::span<const float> polygon = range(lists_.vertices, lists_.vertex_starts, k, 2);
      int64_t* const crossings = scratch.array<int64_t>(kStepTemp, most_crossings(polygon, painted.width));
      paint_polygon(painted, polygon, lists_.labels[each], crossings);
    }
    paint_runs(painted, range(lists_.runs, lists_.run_starts, each), lists_.labels[each]);
  }
}

}  // namespace penstock
