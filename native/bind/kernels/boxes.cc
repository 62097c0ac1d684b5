// Boxes of objects in pictures.

#include <atomic>

#include "bind/convert.h"
#include "bind/kernels/random_call.h"
#include "kernels/boxes/box_crop.h"
#include "kernels/boxes/box_encoder.h"
#include "kernels/boxes/boxes_step.h"
#include "kernels/boxes/rotate_boxes.h"
#include "memory/packed_lists.h"
#include "runtime/each_sample.h"

namespace penstock {
namespace {

using Four = std::array<float, 4>;
using Bounds = std::pair<float, float>;

BoxForm form_of(bool corners) { return corners ? BoxForm::corners : BoxForm::corner_and_size; }

void make_flip(FlipBoxes* self, bool ltrb, const Values<int32_t>& horizontal, const Values<int32_t>& vertical) {
  new (self) FlipBoxes(form_of(ltrb), to_vector(horizontal), to_vector(vertical));
}

void make_paste(PasteBoxes* self, bool ltrb, const Values<float>& ratio, const Values<float>& x,
                const Values<float>& y) {
  new (self) PasteBoxes(form_of(ltrb), to_vector(ratio), to_vector(x), to_vector(y));
}

void require(DType dtype, DType expected, const char* what) {
  if (dtype != expected) throw nb::type_error(what);
}

/// How many boxes an array of rows holds.
int64_t count_boxes(const Shape& shape) {
  if (shape.ndim == 2 && shape[1] == 4) return shape[0];
  throw std::runtime_error("boxes are rows of four numbers, got an array of " + std::to_string(shape.ndim) +
                           " axes with " + std::to_string(shape.volume()) + " numbers");
}

int64_t count_labels(const Shape& shape, int64_t boxes) {
  if (shape.ndim > 0 && shape[0] == boxes && shape.volume() == boxes) return boxes;
  throw std::runtime_error(std::to_string(shape.volume()) + " labels for " + std::to_string(boxes) + " boxes");
}

BoxRotation rotation_of(const Rows<double>& geometry, size_t sample) {
  const double* row = geometry.data() + (geometry.shape(0) == 1 ? 0 : 6 * sample);
  return {row[0], row[1], row[2], row[3], row[4], row[5]};
}

/// `labels` are looked at only for their number.
std::pair<Samples, Samples> rotate(Pool& pool, size_t n, const Samples& boxes, const Samples* labels,
                                   const Rows<double>& geometry, bool corners, bool normalized, double expansion,
                                   double threshold) {
  require(boxes.dtype(), DType::f32, "boxes are float32");
  if (geometry.shape(1) != 6) throw nb::value_error("six numbers a sample");
  const BoxRotationStyle style{form_of(corners), normalized, expansion, threshold};
  std::vector<std::vector<float>> turned(n);
  std::vector<std::vector<int32_t>> kept(n);
  GilRelease release;
  each_sample(pool, n, boxes.bytes(), [&](size_t i, Scratch&) {
    const ConstView view = shared_view(boxes, i);
    const int64_t count = count_boxes(view.shape);
    if (labels) count_labels(shared_view(*labels, i).shape, count);
    turned[i].resize(4 * count);
    kept[i].resize(count);
    const int64_t remain =
        rotate_boxes(turned[i].data(), kept[i].data(), view.as<float>(), count, rotation_of(geometry, i), style);
    turned[i].resize(4 * remain);
    kept[i].resize(remain);
  });
  return {packed(turned, DType::f32, 4), packed(kept, DType::i32)};
}

std::pair<Samples, Samples> encode(Pool& pool, size_t n, const Samples& boxes, const Samples& labels,
                                   const Values<float>& anchors, float criteria,
                                   const std::optional<std::pair<Four, Four>>& normalization, float scale) {
  require(boxes.dtype(), DType::f32, "boxes are float32");
  require(labels.dtype(), DType::i32, "labels are int32");
  if (anchors.size() % 4 != 0) throw nb::value_error("an anchor is four numbers");
  std::optional<BoxEncoder::Offsets> offsets;
  if (normalization) offsets = {normalization->first, normalization->second, scale};
  GilRelease release;
  const BoxEncoder encoder({anchors.data(), anchors.size()}, criteria, offsets);
  Shape list, rows;
  list.ndim = 1, rows.ndim = 2;
  list[0] = rows[0] = encoder.anchors(), rows[1] = 4;
  Samples encoded = Samples::empty(DType::f32, n, rows), classes = Samples::empty(DType::i32, n, list);
  each_sample(pool, n, encoded.bytes(), [&](size_t i, Scratch& scratch) {
    const ConstView mine = shared_view(boxes, i), own = shared_view(labels, i);
    const int64_t count = count_labels(own.shape, count_boxes(mine.shape));
    encoder(encoded.view(i).as<float>(), classes.view(i).as<int32_t>(), mine.as<float>(), own.as<int32_t>(), count,
            scratch);
  });
  return {std::move(encoded), std::move(classes)};
}

using Pixels = std::optional<Rows<int32_t>>;

std::optional<std::array<int32_t, kMaxBoxDims>> size_of(const Pixels& rows, size_t sample) {
  if (!rows) return std::nullopt;
  std::array<int32_t, kMaxBoxDims> size{};
  const size_t width = rows->shape(1);
  std::copy_n(rows->data() + (rows->shape(0) == 1 ? 0 : width * sample), width, size.begin());
  return size;
}

BoxLayout layout_of(const std::vector<int>& start, const std::vector<int>& end, bool ends_are_sizes) {
  const auto ndim = static_cast<int>(start.size());
  if (ndim < 2 || ndim > kMaxBoxDims || end.size() != start.size()) throw nb::value_error("two or three axes");
  BoxLayout layout{ndim, {}, {}, ends_are_sizes};
  for (int d = 0; d < ndim; ++d) {
    if (std::min(start[d], end[d]) < 0 || std::max(start[d], end[d]) >= 2 * ndim)
      throw nb::value_error("no such place");
    layout.start[d] = start[d];
    layout.end[d] = end[d];
  }
  return layout;
}

void require_pixels(const Pixels& picture, const Pixels& window, int ndim, size_t n) {
  for (const Pixels* rows : {&picture, &window})
    if (*rows && static_cast<int>((*rows)->shape(1)) != ndim) throw nb::value_error("a size for every axis");
  if (window && !picture) throw nb::value_error("a window without a picture");
  for (size_t i = 0; picture && i < n; ++i) {
    const auto whole = *size_of(picture, i), part = size_of(window, i).value_or(whole);
    for (int d = 0; d < ndim; ++d)
      if (part[d] < 1 || whole[d] < 1)
        throw SampleError(i, "a window of " + std::to_string(part[d]) + " pixels in a picture of " +
                                 std::to_string(whole[d]) + ": sizes must be positive");
  }
}

/// Anchor and extent of the windows, boxes in them, which they are, and how many samples had to do with the best try.
nb::tuple crop(Pool& pool, size_t n, const RandomCall& call, const Samples& boxes, const Samples* labels,
               const BoxCropRule& rule, const std::vector<int>& start, const std::vector<int>& end, bool ends_are_sizes,
               const Pixels& picture, const Pixels& window) {
  require(boxes.dtype(), DType::f32, "boxes are float32");
  const BoxLayout layout = layout_of(start, end, ends_are_sizes);
  if (boxes.ndim() != 2) throw nb::value_error("boxes are rows");
  require_pixels(picture, window, layout.ndim, n);
  Shape point;
  point.ndim = 1;
  point[0] = layout.ndim;
  Samples anchors = Samples::empty(DType::f32, n, point), extents = Samples::empty(DType::f32, n, point);
  std::vector<std::vector<float>> moved(n);
  std::vector<std::vector<int32_t>> kept(n);
  std::atomic<int64_t> unsettled = 0;
  const auto one = [&](size_t i, Scratch&) {
    const ConstView view = shared_view(boxes, i);
    if (view.shape[1] != 2 * layout.ndim)
      throw std::runtime_error("a box of " + std::to_string(view.shape[1]) + " numbers in a batch of such with " +
                               std::to_string(2 * layout.ndim));
    if (labels && shared_view(*labels, i).shape[0] != view.shape[0])
      throw std::runtime_error(std::to_string(shared_view(*labels, i).shape[0]) + " labels for " +
                               std::to_string(view.shape[0]) + " boxes");
    BoxCrop found = draw_box_crop(Philox::of_sample(call.first, call.second + i), rule, layout, view.as<float>(),
                                  view.shape[0], {size_of(picture, i), size_of(window, i)});
    std::copy_n(found.anchor.begin(), layout.ndim, anchors.view(i).as<float>());
    std::copy_n(found.extent.begin(), layout.ndim, extents.view(i).as<float>());
    moved[i] = std::move(found.boxes);
    kept[i] = std::move(found.kept);
    unsettled += !found.settled;
  };
  {
    GilRelease release;
    each_sample(pool, n, boxes.bytes() * rule.attempts, one);
  }
  return nb::make_tuple(std::move(anchors), std::move(extents), packed(moved, DType::f32, 2 * layout.ndim),
                        packed(kept, DType::i32), unsettled.load());
}

void make_box_crop_rule(BoxCropRule* self, const std::vector<float>& thresholds, bool may_keep_all, bool all_boxes,
                        bool by_box, std::optional<float> prune, Bounds scaling,
                        const std::array<Bounds, 3>& aspect_ratio, int attempts, int64_t total_attempts) {
  if (thresholds.empty() || attempts < 1 || total_attempts == 0) throw nb::value_error("nothing to try");
  new (self) BoxCropRule{thresholds, may_keep_all, all_boxes, by_box, prune, {scaling.first, scaling.second}};
  for (int k = 0; k < 3; ++k) self->aspect_ratio[k] = {aspect_ratio[k].first, aspect_ratio[k].second};
  self->attempts = attempts;
  self->total_attempts = total_attempts;
}

/// The rows of every sample that `indices` names.
Samples take_rows(Pool& pool, size_t n, const Samples& samples, const Samples& indices) {
  require(indices.dtype(), DType::i32, "indices are int32");
  if (samples.ndim() < 1 || indices.ndim() != 1) throw nb::value_error("rows to take, and a list of them");
  std::vector<Shape> shapes(n);
  for (size_t i = 0; i < n; ++i) {
    shapes[i] = shared_view(samples, i).shape;
    shapes[i][0] = indices.shape(i)[0];
  }
  GilRelease release;
  Samples taken = Samples::empty(samples.dtype(), samples.ndim(), std::move(shapes));
  each_sample(pool, n, taken.bytes(), [&](size_t i, Scratch&) {
    const ConstView from = shared_view(samples, i), rows = indices.const_view(i);
    const int64_t row = from.shape.volume(1, from.shape.ndim) * item_bytes(from.dtype);
    for (int64_t k = 0; k < rows.shape[0]; ++k) {
      const int64_t index = rows.as<int32_t>()[k];
      if (index < 0 || index >= from.shape[0])
        throw std::runtime_error("row " + std::to_string(index) + " of " + std::to_string(from.shape[0]));
      std::memcpy(taken.data(i) + k * row, from.data + index * row, row);
    }
  });
  return taken;
}

}  // namespace

void bind_boxes(nb::module_& m) {
  nb::class_<FlipBoxes, Step>(m, "FlipBoxes")
      .def("__init__", &make_flip, nb::arg("ltrb"), nb::arg("horizontal"), nb::arg("vertical"));
  nb::class_<PasteBoxes, Step>(m, "PasteBoxes")
      .def("__init__", &make_paste, nb::arg("ltrb"), nb::arg("ratio"), nb::arg("x"), nb::arg("y"));
  m.def("rotate_boxes", &rotate, nb::arg("pool"), nb::arg("n"), nb::arg("boxes"), nb::arg("labels").none(),
        nb::arg("geometry"), nb::arg("corners"), nb::arg("normalized"), nb::arg("expansion"), nb::arg("threshold"),
        "The turned boxes that remain, and which they are.");
  m.def("encode_boxes", &encode, nb::arg("pool"), nb::arg("n"), nb::arg("boxes"), nb::arg("labels"), nb::arg("anchors"),
        nb::arg("criteria"), nb::arg("normalization").none(), nb::arg("scale"),
        "Four numbers and a label for every anchor.");
  nb::class_<BoxCropRule>(m, "BoxCropRule")
      .def("__init__", &make_box_crop_rule, nb::arg("thresholds"), nb::arg("may_keep_all"), nb::arg("all_boxes"),
           nb::arg("by_box"), nb::arg("prune").none(), nb::arg("scaling"), nb::arg("aspect_ratio"), nb::arg("attempts"),
           nb::arg("total_attempts"));
  m.def("crop_boxes", &crop, nb::arg("pool"), nb::arg("n"), nb::arg("draw"), nb::arg("boxes"), nb::arg("labels").none(),
        nb::arg("rule"), nb::arg("start"), nb::arg("end"), nb::arg("ends_are_sizes"), nb::arg("picture").none(),
        nb::arg("window").none(),
        nb::sig("def crop_boxes(pool: Pool, n: int, draw: tuple[tuple[int, ...], int], boxes: Samples, "
                "labels: Samples | None, rule: BoxCropRule, start: Sequence[int], end: Sequence[int], "
                "ends_are_sizes: bool, picture: numpy.typing.NDArray[numpy.int32] | None, "
                "window: numpy.typing.NDArray[numpy.int32] | None) "
                "-> tuple[Samples, Samples, Samples, Samples, int]"),
        "Anchors and extents of windows, the boxes in them, which these are, and how many windows are makeshift.");
  m.def("take_rows", &take_rows, nb::arg("pool"), nb::arg("n"), nb::arg("samples"), nb::arg("indices"));
}

}  // namespace penstock
