// Annotations of COCO data sets: from JSON to lists, and from lists to batches.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>

#include <stdexcept>
#include <utility>

#include "bind/convert.h"
#include "bind/failures.h"
#include "codecs/json/coco_json.h"
#include "datasets/files/files.h"
#include "datasets/tables/coco_table.h"

namespace penstock {
namespace {

/// Bytes that a Python function of offset and length brings.
class FetchedBytes : public ByteSource {
 public:
  FetchedBytes(nb::callable fetch, int64_t size) : fetch_(std::move(fetch)), size_(size) {}
  int64_t size() const override { return size_; }

  const std::byte* bytes(int64_t offset, int64_t n, std::vector<std::byte>& buffer) override {
    const GilAcquire acquire;
    const nb::bytes brought = fetched_range(fetch_, offset, n);
    if (static_cast<int64_t>(brought.size()) != n) throw std::runtime_error("the file has changed while it was read");
    const auto* first = static_cast<const std::byte*>(brought.data());
    buffer.assign(first, first + n);
    return buffer.data();
  }

 private:
  nb::callable fetch_;
  int64_t size_;
};

CocoFile parse(ByteSource& source, const CocoChoice& choice) {
  std::string problem;
  try {
    GilRelease release;
    return read_coco(source, choice);
  } catch (const std::runtime_error& error) {
    problem = error.what();
  }
  PyErr_SetObject(PyExc_RuntimeError, text_of(problem).ptr());
  throw nb::python_error();
}

/// The lists of a file as arrays, each of which may outlive the others.
struct CocoArrays {
  nb::bytes names;
  nb::object image_ids, widths, heights, category_ids, places, image_of, category_of, boxes, polygon_starts,
      vertex_starts, vertices, run_starts, runs, run_extents;
};

template <typename T>
nb::object as_array(std::vector<T>& list) {
  auto* const owned = new std::vector<T>(std::move(list));
  const nb::capsule owner(owned, [](void* kept) noexcept { delete static_cast<std::vector<T>*>(kept); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(owned->data(), {owned->size()}, owner));
}

CocoArrays as_arrays(CocoFile file) {
  return {nb::bytes(file.names.data(), file.names.size()),
          as_array(file.image_ids),
          as_array(file.widths),
          as_array(file.heights),
          as_array(file.category_ids),
          as_array(file.places),
          as_array(file.image_of),
          as_array(file.category_of),
          as_array(file.boxes),
          as_array(file.polygon_starts),
          as_array(file.vertex_starts),
          as_array(file.vertices),
          as_array(file.run_starts),
          as_array(file.runs),
          as_array(file.run_extents)};
}

CocoArrays parse_coco(const nb::object& from, int64_t file_bytes, float size_threshold, bool include_crowds,
                      bool polygons, bool runs) {
  const CocoChoice choice{size_threshold, include_crowds, polygons, runs};
  if (nb::isinstance<nb::bytes>(from)) {
    const auto path = nb::cast<nb::bytes>(from);
    FileBytes file({path.c_str(), path.size()});
    return as_arrays(parse(file, choice));
  }
  FetchedBytes fetched(nb::cast<nb::callable>(from), file_bytes);
  return as_arrays(parse(fetched, choice));
}

template <auto List>
nb::object list_of(const CocoArrays& arrays) {
  return arrays.*List;
}

using Owners = std::vector<std::shared_ptr<void>>;

template <typename T>
std::span<const T> attribute(nb::handle lists, const char* name, Owners& owners) {
  const auto values = std::make_shared<Values<T>>(nb::cast<Values<T>>(lists.attr(name)));
  owners.push_back(values);
  return {values->data(), values->size()};
}

void make_coco_table(CocoTable* self, nb::handle from) {
  const auto owners = std::make_shared<Owners>();
  const auto i32 = [&](const char* name) { return attribute<int32_t>(from, name, *owners); };
  const auto i64 = [&](const char* name) { return attribute<int64_t>(from, name, *owners); };
  CocoLists lists;
  lists.widths = i32("widths");
  lists.heights = i32("heights");
  lists.image_starts = i64("image_starts");
  lists.order = i64("order");
  lists.boxes = attribute<float>(from, "boxes", *owners);
  lists.labels = i32("labels");
  lists.polygon_starts = i64("polygon_starts");
  lists.vertex_starts = i64("vertex_starts");
  lists.vertices = attribute<float>(from, "vertices", *owners);
  lists.run_starts = i64("run_starts");
  lists.runs = attribute<uint32_t>(from, "runs", *owners);
  new (self) CocoTable(lists, owners);
}

std::span<const int64_t> checked(const CocoTable& table, const Values<int64_t>& images) {
  const std::span<const int64_t> chosen(images.data(), images.size());
  table.check(chosen);
  return chosen;
}

nb::tuple boxes(const CocoTable& table, const Values<int64_t>& images, bool ltrb, bool ratio) {
  const auto chosen = checked(table, images);
  return nb::make_tuple(table.boxes(chosen, ltrb, ratio), table.labels(chosen));
}

nb::tuple polygons(const CocoTable& table, const Values<int64_t>& images, bool ratio, bool by_coordinate) {
  const auto chosen = checked(table, images);
  return nb::make_tuple(table.polygons(chosen, by_coordinate ? 2 : 1), table.vertices(chosen, ratio));
}

Samples pixels(const CocoTable& table, Pool& pool, const Values<int64_t>& images) {
  const auto chosen = checked(table, images);
  GilRelease release;
  return table.pixels(pool, chosen);
}

}  // namespace

void bind_coco(nb::module_& m) {
  nb::class_<CocoArrays>(m, "CocoFile", "What stands in a file of COCO annotations, list by list.")
      .def_ro("names", &CocoArrays::names)
      .def_prop_ro("image_ids", &list_of<&CocoArrays::image_ids>,
                   nb::sig("def image_ids(self, /) -> NDArray[numpy.int32]"))
      .def_prop_ro("widths", &list_of<&CocoArrays::widths>, nb::sig("def widths(self, /) -> NDArray[numpy.int32]"))
      .def_prop_ro("heights", &list_of<&CocoArrays::heights>, nb::sig("def heights(self, /) -> NDArray[numpy.int32]"))
      .def_prop_ro("category_ids", &list_of<&CocoArrays::category_ids>,
                   nb::sig("def category_ids(self, /) -> NDArray[numpy.int32]"))
      .def_prop_ro("places", &list_of<&CocoArrays::places>, nb::sig("def places(self, /) -> NDArray[numpy.int64]"))
      .def_prop_ro("image_of", &list_of<&CocoArrays::image_of>,
                   nb::sig("def image_of(self, /) -> NDArray[numpy.int32]"))
      .def_prop_ro("category_of", &list_of<&CocoArrays::category_of>,
                   nb::sig("def category_of(self, /) -> NDArray[numpy.int32]"))
      .def_prop_ro("boxes", &list_of<&CocoArrays::boxes>, nb::sig("def boxes(self, /) -> NDArray[numpy.float32]"))
      .def_prop_ro("polygon_starts", &list_of<&CocoArrays::polygon_starts>,
                   nb::sig("def polygon_starts(self, /) -> NDArray[numpy.int64]"))
      .def_prop_ro("vertex_starts", &list_of<&CocoArrays::vertex_starts>,
                   nb::sig("def vertex_starts(self, /) -> NDArray[numpy.int64]"))
      .def_prop_ro("vertices", &list_of<&CocoArrays::vertices>,
                   nb::sig("def vertices(self, /) -> NDArray[numpy.float32]"))
      .def_prop_ro("run_starts", &list_of<&CocoArrays::run_starts>,
                   nb::sig("def run_starts(self, /) -> NDArray[numpy.int64]"))
      .def_prop_ro("runs", &list_of<&CocoArrays::runs>, nb::sig("def runs(self, /) -> NDArray[numpy.uint32]"))
      .def_prop_ro("run_extents", &list_of<&CocoArrays::run_extents>,
                   nb::sig("def run_extents(self, /) -> NDArray[numpy.int32]"));
  m.def("parse_coco", &parse_coco, nb::arg("source"), nb::arg("file_bytes"), nb::arg("size_threshold"),
        nb::arg("include_crowds"), nb::arg("polygons"), nb::arg("runs"),
        nb::sig("def parse_coco(source: bytes | collections.abc.Callable[[int, int], bytes], file_bytes: int, "
                "size_threshold: float, include_crowds: bool, polygons: bool, runs: bool) -> CocoFile"),
        "Reads COCO annotations from a local file, or through a function of offset and length.");
  nb::class_<CocoTable>(m, "CocoTable", "Boxes, labels and masks of images, out of lists.")
      .def("__init__", &make_coco_table, nb::arg("lists"), nb::sig("def __init__(self, lists: object) -> None"),
           "`lists` has an attribute for each list.")
      .def("__len__", &CocoTable::size)
      .def("boxes", &boxes, nb::arg("images"), nb::arg("ltrb"), nb::arg("ratio"),
           nb::sig("def boxes(self, images: NDArray[numpy.int64], ltrb: bool, ratio: bool) -> tuple[Samples, Samples]"),
           "The boxes and labels of some images.")
      .def("polygons", &polygons, nb::arg("images"), nb::arg("ratio"), nb::arg("by_coordinate"),
           nb::sig("def polygons(self, images: NDArray[numpy.int64], ratio: bool, by_coordinate: bool) -> "
                   "tuple[Samples, Samples]"),
           "For each polygon its box, first and last vertex, or first and last coordinate; and the vertices.")
      .def("pixels", &pixels, nb::arg("pool"), nb::arg("images"),
           nb::sig("def pixels(self, pool: Pool, images: NDArray[numpy.int64]) -> Samples"),
           "The labels of all pixels of some images.");
}

}  // namespace penstock
