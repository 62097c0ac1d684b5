// Tar archives: their index, and the table of where the components of every sample are.
#include <algorithm>
#include <span>
#include <string_view>

#include "bind/datasets/archive_arguments.h"
#include "datasets/archives/component_table.h"
#include "datasets/files/files.h"

namespace penstock {
namespace {

// Small enough to skip what lies between headers, large enough for several small files.
constexpr int64_t kLocalBlock = 1 << 12;

ComponentTable make_component_table(const nb::bytes& archive, std::vector<std::vector<std::string>> extensions,
                                    const std::vector<int>& codes, bool case_sensitive, Missing missing,
                                    bool check_headers) {
  std::vector<DType> dtypes;
  for (const int code : codes) {
    if (code < 0 || code > static_cast<int>(DType::f64)) throw nb::value_error("not a type of numbers");
    dtypes.push_back(static_cast<DType>(code));
  }
  return ComponentTable({std::move(extensions), std::move(dtypes), case_sensitive, missing, check_headers},
                        std::string(view_of(archive)));
}

/// `from` is the path of a local archive, or a function that gives the bytes at an offset.
void scan_archive(const nb::object& from, int64_t archive_bytes, const EachSample& each) {
  if (nb::isinstance<nb::bytes>(from)) {
    const std::string path(view_of(nb::cast<nb::bytes>(from)));
    without_gil([&] {
      FileBytes file(path);
      std::vector<std::byte> buffer;
      const ReadAt read_at = [&](int64_t offset, int64_t length) {
        const int64_t bytes = std::min(std::max(length, kLocalBlock), archive_bytes - offset);
        return std::string(reinterpret_cast<const char*>(file.bytes(offset, bytes, buffer)), bytes);
      };
      scan_samples(read_at, archive_bytes, each);
    });
    return;
  }
  const ReadAt read_at = [&](int64_t offset, int64_t length) {
    const GilAcquire acquire;
    return std::string(view_of(fetched_range(from, offset, length)));
  };
  without_gil([&] { scan_samples(read_at, archive_bytes, each); });
}

void add_scanned(ComponentTable& table, const nb::object& from, int64_t archive_bytes) {
  scan_archive(from, archive_bytes, [&](const Components& sample, int64_t line) { table.add(sample, line); });
}

void add_indexed(ComponentTable& table, const nb::bytes& index, int64_t archive_bytes) {
  without_gil([&] {
    read_tar_index(view_of(index), archive_bytes,
                   [&](const Components& sample, int64_t line) { table.add(sample, line); });
  });
}

nb::bytes index_tar(const nb::object& from, int64_t archive_bytes) {
  std::string lines;
  int64_t count = 0;
  scan_archive(from, archive_bytes, [&](const Components& sample, int64_t) {
    lines += tar_index_line(sample);
    ++count;
  });
  lines.insert(0, "v1.2 " + std::to_string(count) + "\n");
  return nb::bytes(lines.data(), lines.size());
}

ReadPlan plan(const ComponentTable& table, const Values<int64_t>& indices) {
  return table.plan({indices.data(), indices.size()});
}

nb::tuple take(const ComponentTable& table, const ReadPlan& plan, const Samples& pieces) {
  Taken taken;
  without_gil([&] { taken = table.take(plan, pieces); });
  nb::list outputs;
  for (Samples& output : taken.outputs) outputs.append(nb::cast(std::move(output)));
  nb::dict failures;
  for (const auto& [position, why] : taken.failures) failures[nb::int_(position)] = text_of(why);
  return nb::make_tuple(nb::tuple(outputs), failures);
}

nb::list sources(const ComponentTable& table, int64_t sample) {
  if (sample < 0 || sample >= table.size()) throw nb::index_error("there is no such sample");
  nb::list made;
  for (size_t output = 0; output < table.outputs(); ++output) made.append(text_of(table.source(sample, output)));
  return made;
}

}  // namespace

void bind_tar(nb::module_& m) {
  nb::enum_<Missing>(m, "Missing")
      .value("empty", Missing::empty)
      .value("skip", Missing::skip)
      .value("error", Missing::error);
  nb::class_<ReadPlan>(m, "ReadPlan", "The parts of archives a batch is made of.")
      .def_prop_ro(
          "archives", [](const ReadPlan& p) { return array_of(p.archives); },
          nb::sig("def archives(self, /) -> NDArray[numpy.int64]"))
      .def_prop_ro(
          "offsets", [](const ReadPlan& p) { return array_of(p.offsets); },
          nb::sig("def offsets(self, /) -> NDArray[numpy.int64]"))
      .def_prop_ro(
          "lengths", [](const ReadPlan& p) { return array_of(p.lengths); },
          nb::sig("def lengths(self, /) -> NDArray[numpy.int64]"))
      .def_ro("samples", &ReadPlan::samples, "Which sample of the batch each part belongs to.");
  nb::class_<ComponentTable>(m, "ComponentTable", "Where the outputs of every sample of tar archives lie.")
      .def(
          "__init__",
          [](ComponentTable* self, const nb::bytes& archive, std::vector<std::vector<std::string>> extensions,
             const std::vector<int>& codes, bool case_sensitive, Missing missing, bool check_headers) {
            new (self) ComponentTable(
                make_component_table(archive, std::move(extensions), codes, case_sensitive, missing, check_headers));
          },
          nb::arg("archive"), nb::arg("extensions"), nb::arg("codes"), nb::arg("case_sensitive"), nb::arg("missing"),
          nb::arg("check_headers"))
      .def("add_scanned", &add_scanned, nb::arg("source"), nb::arg("archive_bytes"),
           nb::sig("def add_scanned(self, source: bytes | collections.abc.Callable[[int, int], bytes], archive_bytes: "
                   "int) -> None"),
           "Finds the samples by walking the headers of a local archive, or through a function of offset and length.")
      .def("add_indexed", &add_indexed, nb::arg("index"), nb::arg("archive_bytes"), "Finds the samples in an index.")
      .def("extend", &ComponentTable::extend, nb::arg("other"), "Puts the samples of another archive behind these.")
      .def("__len__", &ComponentTable::size)
      .def_prop_ro("doubles", &ComponentTable::doubles, "Components passed over because one before them fits as well.")
      .def_prop_ro(
          "first_double", [](const ComponentTable& t) { return text_of(t.first_double()); },
          nb::sig("def first_double(self, /) -> str"))
      .def("plan", &plan, nb::arg("indices"), nb::sig("def plan(self, indices: NDArray[numpy.int64]) -> ReadPlan"))
      .def("take", &take, nb::arg("plan"), nb::arg("pieces"),
           nb::sig("def take(self, plan: ReadPlan, pieces: Samples) -> tuple[tuple[Samples, ...], dict[int, str]]"),
           "The outputs, from the parts that were read, and why there are none for some samples.")
      .def("sources", &sources, nb::arg("sample"), nb::sig("def sources(self, sample: int) -> list[str]"),
           "Where each output of a sample lies.");
  m.def("index_tar", &index_tar, nb::arg("source"), nb::arg("archive_bytes"),
        nb::sig(
            "def index_tar(source: bytes | collections.abc.Callable[[int, int], bytes], archive_bytes: int) -> bytes"),
        "The index of a tar archive: a local one, or one that is read through a function of offset and length.");
}

}  // namespace penstock
