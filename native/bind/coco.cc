// Annotations of COCO data sets: from JSON to lists, and from lists to batches.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>

#include <stdexcept>
#include <utility>

#include "bind/convert.h"
#include "bind/failures.h"
#include "codecs/coco_json.h"
#include "runtime/coco_table.h"
#include "runtime/files.h"

namespace penstock {
namespace {

/// Bytes that a Python function of offset and length brings.
class FetchedBytes : public ByteSource {
 public:
  FetchedBytes(nb::callable fetch, int64_t size) : fetch_(std::move(fetch)), size_(size) {}
  int64_t size() const override { return size_; }

  const std::byte* bytes(int64_t offset, int64_t n, std::vector<std::byte>& buffer) override {
    nb::gil_scoped_acquire acquire;
    const auto brought = nb::cast<nb::bytes>(fetch_(offset, n));
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
    nb::gil_scoped_release release;
    return read_coco(source, choice);
  } catch (const std::runtime_error& error) {
    problem = error.what();
  }
  PyErr_SetObject(PyExc_RuntimeError, text_of(problem).ptr());
  throw nb::python_error();
}

CocoFile parse_coco(const nb::object& from, int64_t file_bytes, float size_threshold, bool include_crowds,
                    bool polygons, bool runs) {
  const CocoChoice choice{size_threshold, include_crowds, polygons, runs};
  if (nb::isinstance<nb::bytes>(from)) {
    const auto path = nb::cast<nb::bytes>(from);
    FileBytes file({path.c_str(), path.size()});
    return parse(file, choice);
  }
  FetchedBytes fetched(nb::cast<nb::callable>(from), file_bytes);
  return parse(fetched, choice);
}

/// A list of the file as an array that keeps the file alive.
template <auto Member>
nb::object list_of(nb::handle self) {
  auto& list = nb::cast<CocoFile&>(self).*Member;
  using Value = typename std::remove_reference_t<decltype(list)>::value_type;
  return nb::cast(nb::ndarray<nb::numpy, Value, nb::ndim<1>>(list.data(), {list.size()}, self));
}

using Owners = std::vector<std::shared_ptr<void>>;

template <typename T>
std::span<const T> attribute(nb::handle lists, const char* name, Owners& owners) {
  const auto values = std::make_shared<Values<T>>(nb::cast<Values<T>>(lists.attr(name)));
  owners.push_back(values);
  return {values->data(), values->size()};
}

void make_table(CocoTable* self, nb::handle from) {
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
  nb::gil_scoped_release release;
  return table.pixels(pool, chosen);
}

}  // namespace

void bind_coco(nb::module_& m) {
  nb::class_<CocoFile>(m, "CocoFile", "What stands in a file of COCO annotations, list by list.")
      .def_prop_ro("names", [](const CocoFile& file) { return nb::bytes(file.names.data(), file.names.size()); })
      .def_prop_ro("image_ids", &list_of<&CocoFile::image_ids>,
                   nb::sig("def image_ids(self, /) -> NDArray[numpy.int32]"))
      .def_prop_ro("widths", &list_of<&CocoFile::widths>, nb::sig("def widths(self, /) -> NDArray[numpy.int32]"))
      .def_prop_ro("heights", &list_of<&CocoFile::heights>, nb::sig("def heights(self, /) -> NDArray[numpy.int32]"))
      .def_prop_ro("category_ids", &list_of<&CocoFile::category_ids>,
                   nb::sig("def category_ids(self, /) -> NDArray[numpy.int32]"))
      .def_prop_ro("places", &list_of<&CocoFile::places>, nb::sig("def places(self, /) -> NDArray[numpy.int64]"))
      .def_prop_ro("image_of", &list_of<&CocoFile::image_of>, nb::sig("def image_of(self, /) -> NDArray[numpy.int32]"))
      .def_prop_ro("category_of", &list_of<&CocoFile::category_of>,
                   nb::sig("def category_of(self, /) -> NDArray[numpy.int32]"))
      .def_prop_ro("boxes", &list_of<&CocoFile::boxes>, nb::sig("def boxes(self, /) -> NDArray[numpy.float32]"))
      .def_prop_ro("polygon_starts", &list_of<&CocoFile::polygon_starts>,
                   nb::sig("def polygon_starts(self, /) -> NDArray[numpy.int64]"))
      .def_prop_ro("vertex_starts", &list_of<&CocoFile::vertex_starts>,
                   nb::sig("def vertex_starts(self, /) -> NDArray[numpy.int64]"))
      .def_prop_ro("vertices", &list_of<&CocoFile::vertices>,
                   nb::sig("def vertices(self, /) -> NDArray[numpy.float32]"))
      .def_prop_ro("run_starts", &list_of<&CocoFile::run_starts>,
                   nb::sig("def run_starts(self, /) -> NDArray[numpy.int64]"))
      .def_prop_ro("runs", &list_of<&CocoFile::runs>, nb::sig("def runs(self, /) -> NDArray[numpy.uint32]"))
      .def_prop_ro("run_extents", &list_of<&CocoFile::run_extents>,
                   nb::sig("def run_extents(self, /) -> NDArray[numpy.int32]"));
  m.def("parse_coco", &parse_coco, nb::arg("source"), nb::arg("file_bytes"), nb::arg("size_threshold"),
        nb::arg("include_crowds"), nb::arg("polygons"), nb::arg("runs"),
        nb::sig("def parse_coco(source: bytes | collections.abc.Callable[[int, int], bytes], file_bytes: int, "
                "size_threshold: float, include_crowds: bool, polygons: bool, runs: bool) -> CocoFile"),
        "Reads COCO annotations from a local file, or through a function of offset and length.");
  nb::class_<CocoTable>(m, "CocoTable", "Boxes, labels and masks of images, out of lists.")
      .def("__init__", &make_table, nb::arg("lists"), nb::sig("def __init__(self, lists: object) -> None"),
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
