// LMDBs: finding their values, and the messages of Caffe and Caffe2 in them.
#include "datasets/records/lmdb.h"

#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <tuple>

#include "bind/convert.h"
#include "bind/failures.h"
#include "bind/memory/sample_bytes.h"
#include "datasets/records/caffe.h"
#include "memory/packed_lists.h"
#include "memory/shared_bytes.h"

namespace penstock {
namespace {

std::tuple<int64_t, int64_t, int64_t, int64_t, int64_t> header(const nb::bytes& bytes) {
  const LmdbHeader made = lmdb_header({static_cast<const std::byte*>(bytes.data()), bytes.size()});
  return {made.page_bytes, made.depth, made.entries, made.root, made.transaction};
}

/// Where the entries of one database are, as far as its leaves were looked at.
class LmdbListing {
 public:
  LmdbListing(int64_t page_bytes, int64_t file_bytes) : pages_(page_bytes, file_bytes) {}

  size_t size() const { return found_.offsets.size(); }

  Samples children(const Samples& pieces, const Values<int64_t>& first_pages) const {
    std::vector<int64_t> found;
    each_page(pieces, first_pages, [&](auto page, int64_t number) { pages_.children(page, number, found); });
    return packed<int64_t>({std::move(found)}, DType::i64);
  }

  void add(const Samples& pieces, const Values<int64_t>& first_pages) {
    each_page(pieces, first_pages, [&](auto page, int64_t number) { pages_.entries(page, number, found_); });
  }

  Samples places(const Values<int64_t>& indices) const {
    std::vector<std::vector<int64_t>> made(2);
    for (size_t k = 0; k < indices.size(); ++k) {
      const size_t i = checked(indices.data()[k]);
      made[0].push_back(found_.offsets[i]);
      made[1].push_back(found_.lengths[i]);
    }
    return packed(made, DType::i64);
  }

  /// Sets the sources of those of the samples that are these entries, one after the other: a path and their key.
  void tell_keys(Samples& samples, const nb::bytes& path, const Values<int64_t>& indices,
                 const std::optional<Values<int64_t>>& positions) const {
    if ((positions ? positions->size() : samples.size()) != indices.size())
      throw std::invalid_argument("an entry for every sample");
    const std::string start = std::string(path.c_str(), path.size()) + " at key ";
    auto sources = positions && samples.sources ? std::make_shared<std::vector<std::string>>(*samples.sources)
                                                : std::make_shared<std::vector<std::string>>(samples.size());
    for (size_t k = 0; k < indices.size(); ++k) {
      const size_t i = checked(indices.data()[k]);
      const int64_t begin = i ? found_.key_ends[i - 1] : 0, at = positions ? positions->data()[k] : k;
      if (at < 0 || at >= static_cast<int64_t>(sources->size())) throw nb::index_error("no such sample");
      std::string& source = (*sources)[at];
      source.reserve(start.size() + static_cast<size_t>(found_.key_ends[i] - begin));
      source.assign(start).append(found_.keys, begin, found_.key_ends[i] - begin);
    }
    samples.sources = std::move(sources);
  }

 private:
  size_t checked(int64_t index) const {
    if (index < 0 || index >= static_cast<int64_t>(size())) throw nb::index_error("no such entry was found yet");
    return static_cast<size_t>(index);
  }

  template <typename Visit>
  void each_page(const Samples& pieces, const Values<int64_t>& first_pages, Visit visit) const {
    require_bytes(pieces, "pieces of a file");
    if (pieces.size() != first_pages.size()) throw std::invalid_argument("a page number for every piece");
    const auto bytes = static_cast<size_t>(pages_.page_bytes());
    GilRelease release;
    for (size_t i = 0; i < pieces.size(); ++i) {
      const std::span<const std::byte> piece = bytes_of(pieces, i);
      for (size_t at = 0; at + bytes <= piece.size(); at += bytes)
        visit(piece.subspan(at, bytes), first_pages.data()[i] + static_cast<int64_t>(at / bytes));
    }
  }

  LmdbPages pages_;
  LmdbEntries found_;
};

nb::tuple values(const Samples& pieces, const Values<int64_t>& offsets, const Values<int64_t>& page_bytes) {
  require_bytes(pieces, "pieces of a file");
  if (pieces.size() != offsets.size() || pieces.size() != page_bytes.size())
    throw std::invalid_argument("an offset and a page size for every piece");
  std::vector<std::span<const std::byte>> found(pieces.size());
  std::vector<std::string> errors(pieces.size());
  for (size_t i = 0; i < pieces.size(); ++i) {
    try {
      found[i] = LmdbPages(page_bytes.data()[i], 0).value(bytes_of(pieces, i), offsets.data()[i]);
    } catch (const std::exception& error) {
      errors[i] = error.what();
    }
  }
  Samples made = shared_bytes(pieces, found);
  made.take_origin(pieces);
  return nb::make_tuple(std::move(made), by_position(errors));
}

nb::tuple outputs_and_errors(CaffeOutputs made, const Samples& messages) {
  for (Samples& output : made.outputs) output.take_origin(messages);
  return nb::make_tuple(nb::cast(std::move(made.outputs)), by_position(made.errors));
}

nb::tuple parse_datums(const Samples& messages, bool image, bool label) {
  require_bytes(messages, "pieces of a file");
  CaffeOutputs made;
  {
    GilRelease release;
    made = datums(messages, image, label);
  }
  return outputs_and_errors(std::move(made), messages);
}

Caffe2Part part_of(std::string_view name) {
  constexpr std::string_view names[] = {"image",          "label",   "sparse_label", "dense_label",
                                        "weighted_label", "numbers", "box"};
  const auto* found = std::find(std::begin(names), std::end(names), name);
  if (found == std::end(names)) throw std::invalid_argument("no such part of a message");
  return static_cast<Caffe2Part>(found - std::begin(names));
}

nb::tuple parse_tensors(const Samples& messages, const std::vector<std::string>& parts, int64_t num_labels) {
  require_bytes(messages, "pieces of a file");
  if (num_labels < 0) throw std::invalid_argument("the number of labels is not negative");
  std::vector<Caffe2Part> wanted;
  for (const std::string& part : parts) wanted.push_back(part_of(part));
  CaffeOutputs made;
  {
    GilRelease release;
    made = tensor_protos(messages, wanted, num_labels);
  }
  return outputs_and_errors(std::move(made), messages);
}

}  // namespace

void bind_lmdb(nb::module_& m) {
  m.def("lmdb_header", &header, nb::arg("bytes"),
        "From the beginning of one of the first two pages: page size, depth, entries, root, transaction.");
  nb::class_<LmdbListing>(m, "LmdbListing", "Where the values of an LMDB are, as far as its leaf pages were added.")
      .def(nb::init<int64_t, int64_t>(), nb::arg("page_bytes"), nb::arg("file_bytes"))
      .def("__len__", &LmdbListing::size)
      .def("children", &LmdbListing::children, nb::arg("pieces"), nb::arg("first_pages"),
           nb::sig("def children(self, pieces: Samples, first_pages: NDArray[numpy.int64]) -> Samples"),
           "One sample: the pages that branch pages lead to. A piece is some consecutive pages.")
      .def("add", &LmdbListing::add, nb::arg("pieces"), nb::arg("first_pages"),
           nb::sig("def add(self, pieces: Samples, first_pages: NDArray[numpy.int64]) -> None"),
           "Notes the entries of leaf pages.")
      .def("places", &LmdbListing::places, nb::arg("indices"),
           nb::sig("def places(self, indices: NDArray[numpy.int64]) -> Samples"),
           "Two samples: offsets and lengths in the file, to be read and given to `lmdb_values`.")
      .def("tell_keys", &LmdbListing::tell_keys, nb::arg("samples"), nb::arg("path"), nb::arg("indices"),
           nb::arg("positions") = nb::none(),
           nb::sig("def tell_keys(self, samples: Samples, path: bytes, indices: NDArray[numpy.int64], positions: "
                   "NDArray[numpy.int64] | None = None) -> None"),
           "Sets what samples, or those at some positions, are called in errors: a path and the key of an entry.");
  m.def("lmdb_values", &values, nb::arg("pieces"), nb::arg("offsets"), nb::arg("page_bytes"),
        nb::sig("def lmdb_values(pieces: Samples, offsets: NDArray[numpy.int64], page_bytes: NDArray[numpy.int64]) -> "
                "tuple[Samples, dict[int, str]]"),
        "The values in what was read where `LmdbListing.places` said, and what is wrong with some by position.");
  m.def("caffe_datums", &parse_datums, nb::arg("messages"), nb::arg("image"), nb::arg("label"),
        nb::sig("def caffe_datums(messages: Samples, image: bool, label: bool) -> "
                "tuple[list[Samples], dict[int, str]]"),
        "The images and labels in messages Datum, and what is wrong with messages by position.");
  m.def("caffe2_tensors", &parse_tensors, nb::arg("messages"), nb::arg("parts"), nb::arg("num_labels"),
        nb::sig("def caffe2_tensors(messages: Samples, parts: list[str], num_labels: int) -> "
                "tuple[list[Samples], dict[int, str]]"),
        "The parts of messages TensorProtos, and what is wrong with messages by position.");
}

}  // namespace penstock
