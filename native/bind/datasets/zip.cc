// Zip archives: their directory, and the members of a batch.
#include "datasets/archives/zip.h"

#include <span>
#include <stdexcept>
#include <string_view>

#include "bind/datasets/archive_arguments.h"
#include "datasets/archives/zip_parser.h"

namespace penstock {
namespace {

using MemberRows = nb::ndarray<const int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

constexpr size_t kColumns = 7;
constexpr int64_t kStored = 0;

nb::tuple zip_directory(const nb::bytes& bytes, int64_t offset, int64_t shift, int64_t count, const nb::list& folders,
                        const nb::list& files, bool case_sensitive) {
  const NamePatterns folder_patterns(to_strings(folders), case_sensitive);
  const NamePatterns file_patterns(to_strings(files), case_sensitive);
  std::vector<ZipMember> members;
  without_gil([&] {
    members = read_zip_directory({view_of(bytes), offset, shift, count}, folder_patterns, file_patterns);
  });
  std::string names;
  nb::list found;
  std::vector<int64_t> counts, numbers;
  for (size_t i = 0; i < members.size(); ++i) {
    const ZipMember& m = members[i];
    const std::string_view folder = zip_folder(m.name);
    if (i == 0 || folder != zip_folder(members[i - 1].name)) {
      found.append(nb::bytes(folder.data(), folder.size()));
      counts.push_back(0);
    }
    ++counts.back();
    names.append(m.name).append(1, '\0');
    numbers.insert(numbers.end(), {m.offset, m.extent, m.packed_bytes, m.bytes, m.crc, m.method, m.encrypted});
  }
  return nb::make_tuple(nb::bytes(names.data(), names.size()), found, counts, array_of(numbers));
}

ZipParser make_parser(const MemberRows& rows) {
  if (rows.shape(1) != kColumns) throw std::invalid_argument("a member has 7 numbers");
  std::vector<ZipEntry> entries;
  for (size_t i = 0; i < rows.shape(0); ++i) {
    const int64_t* row = rows.data() + i * kColumns;
    entries.push_back({row[2], row[3], static_cast<uint32_t>(row[4]), row[5] == kStored});
  }
  return ZipParser(std::move(entries));
}

nb::tuple members(const ZipParser& parser, const Samples& pieces) {
  if (pieces.size() != parser.size()) throw std::invalid_argument("a parser for another number of members");
  Samples found;
  without_gil([&] { found = parser.members(pieces); });
  found.take_origin(pieces);
  return nb::make_tuple(nb::cast(std::move(found)), by_position(parser.errors()));
}

void tell_members(Samples& members, const Values<int64_t>& offsets, const nb::bytes& packed,
                  const Values<int64_t>& ends, const Values<int64_t>& indices) {
  const std::vector<std::string> names = pick(view_of(packed), span_of(ends), span_of(indices));
  if (!members.sources || members.sources->size() != names.size() || offsets.size() != names.size())
    throw std::invalid_argument("an archive, an offset and a name for every member");
  auto sources = std::make_shared<std::vector<std::string>>(*members.sources);
  for (size_t i = 0; i < names.size(); ++i) (*sources)[i] += ':' + std::to_string(offsets.data()[i]) + ':' + names[i];
  members.sources = std::move(sources);
}

}  // namespace

void bind_zip(nb::module_& m) {
  m.def(
      "zip_directory", &zip_directory, nb::arg("directory"), nb::arg("offset"), nb::arg("shift"), nb::arg("count"),
      nb::arg("folders"), nb::arg("files"), nb::arg("case_sensitive"),
      nb::sig("def zip_directory(directory: bytes, offset: int, shift: int, count: int, folders: list[bytes], "
              "files: list[bytes], case_sensitive: bool) -> tuple[bytes, list[bytes], list[int], "
              "NDArray[numpy.int64]]"),
      "The files in the directory of a zip archive that match the patterns: their names, packed; their folders and how "
      "many files each has; and for each offset, extent, packed size, size, CRC, method and whether it is encrypted.");
  nb::class_<ZipParser, PieceParser>(m, "ZipParser", "Finds members in what was read of zip archives.")
      .def(
          "__init__", [](ZipParser* self, const MemberRows& rows) { new (self) ZipParser(make_parser(rows)); },
          nb::arg("rows"), nb::sig("def __init__(self, rows: NDArray[numpy.int64]) -> None"),
          "A row of what `zip_directory` tells for each member.")
      .def("members", &members, nb::arg("pieces"),
           nb::sig("def members(self, pieces: Samples) -> tuple[Samples, dict[int, str]]"),
           "The members as they are packed, and what is wrong with them by position.");
  m.def("tell_members", &tell_members, nb::arg("members"), nb::arg("offsets"), nb::arg("packed"), nb::arg("ends"),
        nb::arg("indices"),
        nb::sig("def tell_members(members: Samples, offsets: NDArray[numpy.int64], packed: bytes, "
                "ends: NDArray[numpy.int64], indices: NDArray[numpy.int64]) -> None"),
        "Adds to the source of every member its place in the archive and its name.");
}

}  // namespace penstock
