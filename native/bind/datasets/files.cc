// Files: listing folders of them, reading whole files or parts of them, and the order they are read in.
#include "datasets/files/files.h"

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>

#include "bind/datasets/archive_arguments.h"
#include "bind/memory/sample_bytes.h"
#include "codecs/checksum/crc.h"
#include "datasets/files/listing.h"
#include "datasets/files/mapped_files.h"
#include "datasets/files/shuffle.h"
#include "runtime/pool.h"

namespace penstock {
namespace {

using Order = nb::ndarray<int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<int64_t> items_of(const Order& order) { return {order.data(), order.size()}; }

/// Gives each text back as it is copied: the names of a million files are not there twice.
nb::bytes joined(std::vector<std::string> texts) {
  size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  nb::bytes made = nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(bytes)));
  if (!made.is_valid()) throw nb::python_error();
  char* end = PyBytes_AsString(made.ptr());
  for (std::string& text : texts) {
    end = std::copy(text.begin(), text.end(), end);
    text = {};
  }
  return made;
}

nb::tuple list_folders(Pool& pool, const nb::bytes& root, const nb::list& folders, const nb::list& files,
                       bool case_sensitive) {
  const std::string path(view_of(root));
  const NamePatterns folder_patterns(to_strings(folders), case_sensitive);
  const NamePatterns file_patterns(to_strings(files), case_sensitive);
  ClassFiles found;
  {
    GilRelease release;
    found = list_class_files(pool, path, folder_patterns, file_patterns);
  }
  if (!found.error.empty()) {
    PyErr_SetObject(PyExc_RuntimeError, text_of(found.error).ptr());
    throw nb::python_error();
  }
  const nb::bytes named(found.folders.data(), found.folders.size());
  return nb::make_tuple(joined(std::move(found.names)), found.counts, named);
}

using GivenPlaces = std::optional<Values<int64_t>>;

std::vector<Piece> pieces_of(const nb::bytes& root, const std::vector<std::string>& names, const GivenPlaces& offsets,
                             const GivenPlaces& lengths) {
  for (const GivenPlaces* given : {&offsets, &lengths})
    if (*given && (*given)->size() != names.size())
      throw std::invalid_argument("an offset and a length for every sample");
  std::vector<Piece> pieces(names.size());
  for (size_t i = 0; i < names.size(); ++i) {
    pieces[i].path = path_of(view_of(root), names[i]);
    if (offsets) pieces[i].offset = offsets->data()[i];
    if (lengths) pieces[i].length = lengths->data()[i];
  }
  return pieces;
}

nb::tuple read(Pool& pool, const nb::bytes& root, const nb::bytes& packed, const Values<int64_t>& ends,
               const Values<int64_t>& indices, int64_t max_bytes, const GivenPlaces& offsets,
               const GivenPlaces& lengths, PieceParser* parser, MappedFiles* mapped) {
  if (parser && parser->size() != indices.size()) throw std::invalid_argument("a parser for another number of samples");
  Pieces made;
  {
    GilRelease release;  // also while the names are picked: their memory takes longer than all that Python does
    std::vector<std::string> names = pick(view_of(packed), span_of(ends), span_of(indices));
    const std::vector<Piece> pieces = pieces_of(root, names, offsets, lengths);
    made = read_pieces(pool, pieces, max_bytes, parser, mapped);
    for (size_t i = 0; i < pieces.size(); ++i)
      if (!made.errors[i].empty()) made.errors[i] = pieces[i].path + ": " + made.errors[i];
    made.samples.sources = std::make_shared<const std::vector<std::string>>(std::move(names));
  }
  return nb::make_tuple(nb::cast(std::move(made.samples)), by_position(made.errors), made.waited);
}

bool fetch(Pool& pool, const nb::bytes& root, const nb::bytes& packed, const Values<int64_t>& ends,
           const Values<int64_t>& indices, int64_t max_bytes, const GivenPlaces& offsets, const GivenPlaces& lengths) {
  GilRelease release;
  const std::vector<Piece> pieces =
      pieces_of(root, pick(view_of(packed), span_of(ends), span_of(indices)), offsets, lengths);
  return fetch_pieces(pool, pieces, max_bytes);
}

void take_all(PieceParser& parser, Pool& pool, const Samples& pieces) {
  require_bytes(pieces, "pieces");
  if (pieces.size() != parser.size()) throw std::invalid_argument("a parser for another number of samples");
  GilRelease release;
  pool.for_each(pieces.size(), [&](size_t i, Scratch&) { parser.take(i, bytes_of(pieces, i)); });
}

/// Both checksums of a sample's memory in one number: two polynomials, so that what changes under one does not stay
/// equal under the other.
std::vector<uint64_t> content_checksums(Pool& pool, const Samples& samples) {
  if (samples.is_elsewhere()) throw nb::type_error("the samples are where the CPU cannot read them");
  std::vector<uint64_t> found(samples.size());
  const auto one = [&](size_t i, Scratch&) {
    const std::span<const std::byte> bytes{samples.data(i), static_cast<size_t>(samples.const_view(i).bytes())};
    found[i] = uint64_t{crc32c(bytes)} << 32 | crc32(bytes);
  };
  GilRelease release;
  if (samples.bytes() < kParallelFromBytes) {
    const ScratchUse scratch;
    for (size_t i = 0; i < samples.size(); ++i) one(i, scratch);
  } else {
    pool.for_each(samples.size(), one);
  }
  return found;
}

uint32_t shuffle_order_window(const Order& items, size_t window, uint32_t state) {
  if (window == 0) throw std::invalid_argument("a window holds at least one item");
  if (state == 0 || state >= 2147483647) throw std::invalid_argument("not a state of this generator");
  return shuffle_window(items_of(items), window, state);
}

}  // namespace

void bind_files(nb::module_& m) {
  m.def("list_class_files", &list_folders, nb::arg("pool"), nb::arg("root"), nb::arg("folders"), nb::arg("files"),
        nb::arg("case_sensitive"),
        nb::sig("def list_class_files(pool: Pool, root: bytes, folders: list[bytes], files: list[bytes], "
                "case_sensitive: bool) -> tuple[bytes, list[int], bytes]"),
        "The files in the sub-folders of root whose names match the patterns, packed, how many each folder has, and "
        "the names of the folders, packed.");
  m.def("content_checksums", &content_checksums, nb::arg("pool"), nb::arg("samples"),
        "A number of 64 bits for the elements of each sample, by which contents are told apart.");
  nb::class_<PieceParser>(m, "PieceParser", "Takes the samples of a batch apart as they are read.")
      .def("take_all", &take_all, nb::arg("pool"), nb::arg("pieces"), "Takes samples that were read already.");
  nb::class_<MappedFiles>(m, "MappedFiles", "Keeps files mapped that are read again and again.").def(nb::init<>());
  m.def(
      "read_files", &read, nb::arg("pool"), nb::arg("root"), nb::arg("packed"), nb::arg("ends"), nb::arg("indices"),
      nb::arg("max_bytes"), nb::arg("offsets") = nb::none(), nb::arg("lengths") = nb::none(),
      nb::arg("parser") = nb::none(), nb::arg("mapped") = nb::none(),
      nb::sig(
          "def read_files(pool: Pool, root: bytes, packed: bytes, ends: NDArray[numpy.int64], "
          "indices: NDArray[numpy.int64], max_bytes: int, offsets: NDArray[numpy.int64] | None = None, "
          "lengths: NDArray[numpy.int64] | None = None, parser: PieceParser | None = None, mapped: MappedFiles | None "
          "= None) -> tuple[Samples, dict[int, str], bool]"),
      "The bytes of files, or of parts of them, one u8 vector each; why some could not be read, by position: also "
      "those of more than `max_bytes`; and whether some were not in memory. "
      "Name i stands in `packed` up to the zero byte at ends[i].");
  m.def("fetch_files", &fetch, nb::arg("pool"), nb::arg("root"), nb::arg("packed"), nb::arg("ends"), nb::arg("indices"),
        nb::arg("max_bytes"), nb::arg("offsets") = nb::none(), nb::arg("lengths") = nb::none(),
        nb::sig("def fetch_files(pool: Pool, root: bytes, packed: bytes, ends: NDArray[numpy.int64], "
                "indices: NDArray[numpy.int64], max_bytes: int, offsets: NDArray[numpy.int64] | None = None, "
                "lengths: NDArray[numpy.int64] | None = None) -> bool"),
        "Has the system bring into memory what `read_files` is to read soon, up to `max_bytes` of all, without waiting "
        "for it. Returns whether something was not there.");

  m.def(
      "shuffle", [](const Order& items, uint32_t seed) { shuffle(items_of(items), seed); },
      nb::arg("items").noconvert(), nb::arg("seed"), nb::call_guard<GilRelease>(),
      "Shuffles in place with a 32-bit generator.");
  m.def(
      "shuffle_wide", [](const Order& items, uint64_t seed) { shuffle_wide(items_of(items), seed); },
      nb::arg("items").noconvert(), nb::arg("seed"), nb::call_guard<GilRelease>(),
      "Shuffles in place with a 64-bit generator.");
  m.def("window_state", &window_state, nb::arg("seed"), "What `shuffle_window` starts from.");
  m.def("shuffle_window", &shuffle_order_window, nb::arg("items").noconvert(), nb::arg("window"), nb::arg("state"),
        nb::call_guard<GilRelease>(),
        "Puts items in the order in which they leave a random window over them; returns the generator's next state.");
}

}  // namespace penstock
