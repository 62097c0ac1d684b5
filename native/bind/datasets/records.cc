// Files of records: TFRecord and RecordIO.
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include <span>
#include <stdexcept>
#include <string_view>
#include <tuple>

#include "bind/convert.h"
#include "bind/failures.h"
#include "bind/memory/sample_bytes.h"
#include "codecs/checksum/crc.h"
#include "datasets/records/record_files.h"
#include "datasets/records/record_images.h"
#include "datasets/records/tf_examples.h"
#include "memory/packed_lists.h"

namespace penstock {
namespace {

using GivenFeature = std::tuple<nb::bytes, int, std::vector<int64_t>, bool, std::optional<nb::bytes>>;

std::string string_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

uint32_t checksum_of(const nb::bytes& data) {
  return crc32c({reinterpret_cast<const std::byte*>(data.c_str()), data.size()});
}

RecordFormat format_of(std::string_view name) {
  if (name == "tfrecord") return RecordFormat::tfrecord;
  if (name == "recordio") return RecordFormat::recordio;
  throw std::invalid_argument("a file of records is a tfrecord or a recordio");
}

Feature to_feature(const GivenFeature& given) {
  const auto& [name, kind, shape, fixed, fallback] = given;
  if (kind < 1 || kind > 3) throw std::invalid_argument("no such kind of feature");
  Feature feature{string_of(name), static_cast<ListKind>(kind), to_shape(shape), fixed, {}};
  if (!fixed && feature.shape.volume() == 0) throw std::invalid_argument("parts without elements cannot be counted");
  if (!fixed && feature.shape.ndim == kMaxDims) throw std::invalid_argument("too many axes");
  if (!fallback) return feature;
  feature.fallback = string_of(*fallback);
  const size_t item = feature.kind == ListKind::ints ? sizeof(int64_t) : sizeof(float);
  if (feature.kind != ListKind::strings && feature.fallback->size() != item)
    throw std::invalid_argument("the default value is one element");
  return feature;
}

void make_features(Features* self, const std::vector<GivenFeature>& given, int64_t max_bytes) {
  std::vector<Feature> features;
  for (const GivenFeature& each : given) features.push_back(to_feature(each));
  new (self) Features(std::move(features), max_bytes);
}

nb::tuple finish(ExampleParser& parser, Pool& pool, const Samples& records) {
  require_bytes(records, "records");
  if (records.size() != parser.size()) throw std::invalid_argument("a parser for another number of records");
  Examples made;
  {
    GilRelease release;
    made = parser.finish(pool, records);
  }
  for (Samples& feature : made.features) feature.take_origin(records);
  return nb::make_tuple(nb::cast(std::move(made.features)), by_position(made.errors));
}

nb::tuple images(const Samples& records) {
  require_bytes(records, "records");
  RecordImages made;
  {
    GilRelease release;
    made = record_images(records);
  }
  for (Samples* output : {&made.files, &made.labels}) output->take_origin(records);
  return nb::make_tuple(std::move(made.files), std::move(made.labels), by_position(made.errors));
}

void tell_offsets(Samples& records, const Values<int64_t>& offsets) {
  if (!records.sources || records.sources->size() != offsets.size())
    throw std::invalid_argument("an offset and a file for every record");
  auto sources = std::make_shared<std::vector<std::string>>(*records.sources);
  for (size_t i = 0; i < offsets.size(); ++i) (*sources)[i] += " at index " + std::to_string(offsets.data()[i]);
  records.sources = std::move(sources);
}

nb::tuple scan_files(Pool& pool, std::string_view format, const std::vector<nb::bytes>& names) {
  std::vector<std::string> paths;
  for (const nb::bytes& name : names) paths.push_back(string_of(name));
  RecordScan made;
  const RecordFormat chosen = format_of(format);
  {
    GilRelease release;
    made = scan_record_files(pool, chosen, paths);
  }
  return nb::make_tuple(packed(made.found, DType::i64, 2), by_position(made.errors));
}

void look(RecordWalk& walk, const nb::bytes& window) {
  walk.look({static_cast<const std::byte*>(window.data()), window.size()});
  if (walk.ended()) walk.finish();
}

}  // namespace

void bind_records(nb::module_& m) {
  m.def("crc32c", &checksum_of, nb::arg("data"), "The CRC-32C of bytes, which TFRecord files have of their records.");
  nb::class_<ExampleParser, PieceParser>(m, "ExampleParser", "Takes features out of framed tf.train.Example messages.")
      .def("finish", &finish, nb::arg("pool"), nb::arg("records"),
           nb::sig("def finish(self, pool: Pool, records: Samples) -> tuple[list[Samples], dict[int, str]]"),
           "The features, and what is wrong with records by position; the features are of use only without that.");
  nb::class_<Features>(m, "Features", "The features to take out of records.")
      .def("__init__", &make_features, nb::arg("features"), nb::arg("max_bytes"),
           nb::sig("def __init__(self, features: list[tuple[bytes, int, list[int], bool, bytes | None]], max_bytes: "
                   "int) -> None"),
           "Of each feature: name, kind (1: string, 2: float32, 3: int64), shape, whether that is the whole shape, and "
           "the element to fill in where a record does not have it. The numbers of one take no more than `max_bytes`.")
      .def(
          "parser",
          [](std::shared_ptr<Features> features, size_t records) {
            return ExampleParser(std::move(features), records);
          },
          nb::arg("records"), nb::sig("def parser(self, records: int) -> ExampleParser"),
          "What takes them out of a batch of that many records.");
  m.def("record_images", &images, nb::arg("records"),
        nb::sig("def record_images(records: Samples) -> tuple[Samples, Samples, dict[int, str]]"),
        "The files and labels in records of RecordIO, and what is wrong with records by position.");
  m.def("tell_offsets", &tell_offsets, nb::arg("records"), nb::arg("offsets"),
        nb::sig("def tell_offsets(records: Samples, offsets: NDArray[numpy.int64]) -> None"),
        "Adds to the source of every record where in the file it stands.");
  m.def("scan_record_files", &scan_files, nb::arg("pool"), nb::arg("format"), nb::arg("paths"),
        nb::sig("def scan_record_files(pool: Pool, format: str, paths: list[bytes]) -> "
                "tuple[Samples, dict[int, str]]"),
        "For each file rows of offset and length, one for every record, and why files cannot be gone through.");
  nb::class_<RecordWalk>(m, "RecordWalk", "Goes from record to record through a file that is given to it in windows.")
      .def(
          "__init__",
          [](RecordWalk* self, std::string_view format, int64_t file_bytes) {
            new (self) RecordWalk(format_of(format), file_bytes);
          },
          nb::arg("format"), nb::arg("file_bytes"))
      .def("look", &look, nb::arg("window"), "Takes the bytes from `next` on, at least 12 or up to the end.")
      .def_prop_ro("next", &RecordWalk::next)
      .def_prop_ro("ended", &RecordWalk::ended)
      .def(
          "found", [](const RecordWalk& walk) { return packed<int64_t>({walk.found()}, DType::i64, 2); },
          "One sample: rows of offset and length.");
}

}  // namespace penstock
