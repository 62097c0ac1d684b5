// Masks of objects, as polygons and as pixels.

#include <algorithm>

#include "bind/convert.h"
#include "bind/kernels/random_call.h"
#include "kernels/masks/mask_pixel_step.h"
#include "kernels/masks/random_object.h"
#include "kernels/masks/select_masks.h"
#include "kernels/random/draws.h"
#include "runtime/each_sample.h"

namespace penstock {
namespace {

Shape vector_shape(int64_t n) {
  Shape shape;
  shape.ndim = 1;
  shape[0] = n;
  return shape;
}

std::span<const int32_t> list_of(const Samples& samples, size_t sample) {
  const ConstView view = shared_view(samples, sample);
  return {view.as<int32_t>(), static_cast<size_t>(view.shape.volume())};
}

std::pair<Samples, Samples> select_masks(Pool& pool, size_t n, const Samples& masks, const Samples& polygons,
                                         const Samples& vertices, bool renumber) {
  if (masks.dtype() != DType::i32 || polygons.dtype() != DType::i32) throw nb::type_error("numbers of masks are int32");
  if (masks.ndim() != 1 || polygons.ndim() != 2 || vertices.ndim() != 2) throw nb::value_error("lists and rows");
  std::vector<std::vector<SelectedPolygon>> chosen(n);
  std::vector<Shape> rows(n), points(n);
  const auto polygons_of = [&](size_t i) {
    const ConstView view = shared_view(polygons, i);
    if (view.shape[1] != 3)
      throw std::runtime_error("a polygon is mask, first and last vertex, got " + std::to_string(view.shape[1]) +
                               " numbers");
    return std::span<const Polygon>(view.as<Polygon>(), static_cast<size_t>(view.shape[0]));
  };
  GilRelease release;
  each_sample(pool, n, polygons.bytes(), [&](size_t i, Scratch&) {
    const std::span<const Polygon> all = polygons_of(i);
    points[i] = shared_view(vertices, i).shape;
    chosen[i] = select_polygons(list_of(masks, i), all, points[i][0], renumber);
    rows[i].ndim = 2;
    rows[i][0] = static_cast<int64_t>(chosen[i].size());
    rows[i][1] = 3;
    points[i][0] = count_vertices(chosen[i], all);
  });
  Samples kept = Samples::empty(DType::i32, 2, std::move(rows));
  Samples corners = Samples::empty(vertices.dtype(), 2, std::move(points));
  each_sample(pool, n, corners.bytes(), [&](size_t i, Scratch&) {
    copy_polygons(kept.view(i).as<Polygon>(), corners.data(i), chosen[i], polygons_of(i), shared_view(vertices, i));
  });
  return {std::move(kept), std::move(corners)};
}

/// What is drawn from in one sample; lists are samples of int32 or float32, one for all or one for each.
struct ObjectRule {
  Values<float> probability;
  std::optional<Values<int32_t>> background;
  const Samples *classes, *weights, *least_size;
  std::optional<int64_t> largest;
  bool any_class;

  ObjectChoice of(size_t sample) const {
    ObjectChoice choice;
    choice.probability = of_sample(probability, sample);
    if (background) choice.background = of_sample(*background, sample);
    if (classes) {
      const std::span<const int32_t> list = list_of(*classes, sample);
      choice.classes.assign(list.begin(), list.end());
    }
    if (weights) {
      const ConstView view = shared_view(*weights, sample);
      choice.weights.assign(view.as<float>(), view.as<float>() + view.shape.volume());
    }
    if (least_size) {
      const std::span<const int32_t> list = list_of(*least_size, sample);
      choice.least_size.assign(list.begin(), list.end());
    }
    choice.no_class = (classes && choice.classes.empty()) || (weights && choice.weights.empty());
    choice.largest = largest;
    choice.any_class = any_class;
    return choice;
  }
};

/// Where the drawn objects start and end, and their labels.
nb::tuple random_objects(Pool& pool, size_t n, const RandomCall& call, const Samples& masks,
                         const Values<float>& probability, const std::optional<Values<int32_t>>& background,
                         const Samples* classes, const Samples* weights, const Samples* least_size,
                         std::optional<int64_t> largest, bool any_class) {
  if (!can_be_labels(masks.dtype())) throw nb::type_error("labels are integers of up to 32 bits");
  const ObjectRule rule{probability, background, classes, weights, least_size, largest, any_class};
  const int ndim = masks.ndim();
  Samples start = Samples::empty(DType::i32, n, vector_shape(ndim)),
          end = Samples::empty(DType::i32, n, vector_shape(ndim));
  Samples labels = Samples::empty(DType::i32, n, Shape{});
  {
    GilRelease release;
    each_sample(pool, n, masks.bytes(), [&](size_t i, Scratch&) {
      const ConnectedComponent object =
          draw_object(Philox::of_sample(call.first, call.second + i), shared_view(masks, i), rule.of(i));
      std::copy_n(object.start.begin(), ndim, start.view(i).as<int32_t>());
      std::copy_n(object.end.begin(), ndim, end.view(i).as<int32_t>());
      *labels.view(i).as<int32_t>() = static_cast<int32_t>(object.label);
    });
  }
  return nb::make_tuple(std::move(start), std::move(end), std::move(labels));
}

/// For every sample a whole number for each axis, from `low` to `high`, or `low` where `drawn` is 0 and none is drawn.
Samples random_places(size_t n, const RandomCall& call, const Rows<int64_t>& low, const Rows<int64_t>& high,
                      const Rows<int64_t>& drawn) {
  const size_t axes = low.shape(1);
  if (high.shape(1) != axes || axes > kMaxDims) throw nb::value_error("bounds for up to eight axes");
  if (high.size() != low.size() || drawn.size() != low.size()) throw nb::value_error("as many bounds of each kind");
  for (size_t k = 0; k < low.size(); ++k)
    if (low.data()[k] > high.data()[k]) throw nb::value_error("bounds the wrong way round");
  Samples places = Samples::empty(DType::i64, n, vector_shape(static_cast<int64_t>(axes)));
  for (size_t i = 0; i < n; ++i) {
    PhiloxReader words(Philox::of_sample(call.first, call.second + i));
    const size_t row = low.shape(0) == 1 ? 0 : i * axes;
    for (size_t k = 0; k < axes; ++k) {
      const int64_t first = low.data()[row + k], last = high.data()[row + k];
      int64_t& place = places.view(i).as<int64_t>()[k] = first;
      if (drawn.data()[row + k])
        place += static_cast<int64_t>(index_below(words, static_cast<uint64_t>(last - first) + 1));
    }
  }
  return places;
}

void make_mask_pixel(MaskPixel* self, const RandomCall& call, const Values<int32_t>& foreground,
                     const Values<float>& threshold, const std::optional<Values<int32_t>>& value) {
  PerSample<int32_t> values = value ? to_vector(*value) : std::vector<int32_t>();
  new (self) MaskPixel(call, to_vector(foreground), to_vector(threshold), std::move(values));
}

}  // namespace

void bind_masks(nb::module_& m) {
  m.def("select_masks", &select_masks, nb::arg("pool"), nb::arg("n"), nb::arg("masks"), nb::arg("polygons"),
        nb::arg("vertices"), nb::arg("renumber"), "The polygons of chosen masks, and their vertices.");
  m.def("random_objects", &random_objects, nb::arg("pool"), nb::arg("n"), nb::arg("draw"), nb::arg("masks"),
        nb::arg("probability"), nb::arg("background").none(), nb::arg("classes").none(), nb::arg("weights").none(),
        nb::arg("least_size").none(), nb::arg("largest").none(), nb::arg("any_class"),
        "Where drawn objects start and end, and their labels.");
  m.def("random_places", &random_places, nb::arg("n"), nb::arg("draw"), nb::arg("low"), nb::arg("high"),
        nb::arg("drawn"));
  nb::class_<MaskPixel, Step>(m, "MaskPixel")
      .def("__init__", &make_mask_pixel, nb::arg("draw"), nb::arg("foreground"), nb::arg("threshold"),
           nb::arg("value").none());
}

}  // namespace penstock
