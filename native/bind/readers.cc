#include <span>
#include <stdexcept>
#include <string_view>

#include "bind/convert.h"
#include "runtime/files.h"
#include "runtime/listing.h"
#include "runtime/pool.h"
#include "runtime/shuffle.h"

namespace penstock {
namespace {

using Order = nb::ndarray<int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<int64_t> span_of(const Order& order) { return {order.data(), order.size()}; }

std::string_view view_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

std::vector<std::string> pick(std::string_view packed, const Values<int64_t>& ends, const Values<int64_t>& indices) {
  std::vector<std::string> names;
  for (size_t k = 0; k < indices.size(); ++k) {
    const int64_t i = indices.data()[k];
    if (i < 0 || i >= static_cast<int64_t>(ends.size()))
      throw nb::index_error(("sample " + std::to_string(i) + " of " + std::to_string(ends.size())).c_str());
    const int64_t start = i ? ends.data()[i - 1] + 1 : 0;
    names.emplace_back(packed.substr(start, ends.data()[i] - start));
  }
  return names;
}

// File names are bytes and may be no text at all; Python's own way of decoding them always gives a message.
[[noreturn]] void raise_about_file(const std::string& message) {
  const nb::object text = nb::steal(PyUnicode_DecodeFSDefaultAndSize(message.data(), message.size()));
  PyErr_SetObject(PyExc_RuntimeError, text.ptr());
  throw nb::python_error();
}

std::vector<std::string> to_strings(const nb::list& names) {
  std::vector<std::string> strings;
  for (nb::handle name : names) strings.emplace_back(view_of(nb::cast<nb::bytes>(name)));
  return strings;
}

nb::tuple list_folders(Pool& pool, const nb::bytes& root, const nb::list& folders, const nb::list& files,
                       bool case_sensitive) {
  const std::string path(view_of(root));
  const NamePatterns folder_patterns(to_strings(folders), case_sensitive);
  const NamePatterns file_patterns(to_strings(files), case_sensitive);
  ClassFiles found;
  {
    nb::gil_scoped_release release;
    found = list_class_files(pool, path, folder_patterns, file_patterns);
  }
  if (!found.error.empty()) raise_about_file(found.error);
  return nb::make_tuple(nb::bytes(found.names.data(), found.names.size()), found.counts);
}

Samples read(Pool& pool, const nb::bytes& root, const nb::bytes& packed, const Values<int64_t>& ends,
             const Values<int64_t>& indices) {
  std::vector<std::string> names = pick(view_of(packed), ends, indices);
  std::vector<std::string> paths;
  for (const std::string& name : names)
    paths.push_back(name.starts_with('/') || root.size() == 0 ? name : std::string(view_of(root)) + '/' + name);
  WholeFiles files;
  {
    nb::gil_scoped_release release;
    files = read_files(pool, paths);
  }
  for (size_t i = 0; i < paths.size(); ++i)
    if (!files.errors[i].empty()) raise_about_file("File mapping failed: " + paths[i] + ": " + files.errors[i]);
  files.samples.sources = std::make_shared<const std::vector<std::string>>(std::move(names));
  return std::move(files.samples);
}

uint32_t shuffle_order_window(const Order& items, size_t window, uint32_t state) {
  if (window == 0) throw std::invalid_argument("a window holds at least one item");
  if (state == 0 || state >= 2147483647) throw std::invalid_argument("not a state of this generator");
  return shuffle_window(span_of(items), window, state);
}

}  // namespace

void bind_readers(nb::module_& m) {
  m.def("list_class_files", &list_folders, nb::arg("pool"), nb::arg("root"), nb::arg("folders"), nb::arg("files"),
        nb::arg("case_sensitive"),
        nb::sig("def list_class_files(pool: Pool, root: bytes, folders: list[bytes], files: list[bytes], "
                "case_sensitive: bool) -> tuple[bytes, list[int]]"),
        "The files in the sub-folders of root whose names match the patterns, packed, and how many each folder has.");
  m.def("read_files", &read, nb::arg("pool"), nb::arg("root"), nb::arg("packed"), nb::arg("ends"), nb::arg("indices"),
        "The bytes of whole files, one u8 vector each. Name i stands in `packed` up to the zero byte at ends[i].");

  m.def(
      "shuffle", [](const Order& items, uint32_t seed) { shuffle(span_of(items), seed); }, nb::arg("items").noconvert(),
      nb::arg("seed"), nb::call_guard<nb::gil_scoped_release>(), "Shuffles in place with a 32-bit generator.");
  m.def(
      "shuffle_wide", [](const Order& items, uint64_t seed) { shuffle_wide(span_of(items), seed); },
      nb::arg("items").noconvert(), nb::arg("seed"), nb::call_guard<nb::gil_scoped_release>(),
      "Shuffles in place with a 64-bit generator.");
  m.def("window_state", &window_state, nb::arg("seed"), "What `shuffle_window` starts from.");
  m.def("shuffle_window", &shuffle_order_window, nb::arg("items").noconvert(), nb::arg("window"), nb::arg("state"),
        nb::call_guard<nb::gil_scoped_release>(),
        "Puts items in the order in which they leave a random window over them; returns the generator's next state.");
}

}  // namespace penstock
