#include "datasets/archives/zip.h"

#include <algorithm>
#include <stdexcept>

#include "datasets/archives/damaged.h"

namespace penstock {
namespace {

constexpr size_t kEntryBytes = 46;
constexpr int64_t kLargestExtra = 0xFFFF;
constexpr uint64_t kIn64 = 0xFFFFFFFF;
constexpr uint64_t kLargest = uint64_t{1} << 60;

uint64_t little(std::string_view bytes, size_t offset, size_t count) {
  uint64_t value = 0;
  for (size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[offset + i]);
  return value;
}

/// The parts of an entry that may be too large for it and then stand in its extra field.
struct Large {
  uint64_t bytes, packed_bytes, offset;
};

void read_zip64(std::string_view extra, Large& large) {
  while (extra.size() >= 4) {
    const size_t size = little(extra, 2, 2);
    if (size > extra.size() - 4) return;
    std::string_view field = extra.substr(4, size);
    if (little(extra, 0, 2) == 1)
      for (uint64_t* value : {&large.bytes, &large.packed_bytes, &large.offset})
        if (*value == kIn64 && field.size() >= 8) {
          *value = little(field, 0, 8);
          field.remove_prefix(8);
        }
    extra.remove_prefix(4 + size);
  }
}

/// Reads an entry off the front of `rest`, which begins at byte `at` of the archive.
ZipMember read_entry(std::string_view& rest, int64_t at, const ZipDirectory& directory) {
  if (rest.size() < kEntryBytes || rest.substr(0, 4) != "PK\1\2") damaged(at, "not an entry of a zip directory");
  const size_t name = little(rest, 28, 2), extra = little(rest, 30, 2), comment = little(rest, 32, 2);
  if (kEntryBytes + name + extra + comment > rest.size()) damaged(at, "the zip directory is cut short");
  ZipMember member;
  member.name = rest.substr(kEntryBytes, name);
  if (member.name.find('\0') != std::string::npos) damaged(at, "the name of a file has a zero byte in it");
  member.encrypted = little(rest, 8, 2) & 1;
  member.method = static_cast<int>(little(rest, 10, 2));
  member.crc = static_cast<uint32_t>(little(rest, 16, 4));
  Large large{little(rest, 24, 4), little(rest, 20, 4), little(rest, 42, 4)};
  read_zip64(rest.substr(kEntryBytes + name, extra), large);
  if (large.bytes > kLargest || large.packed_bytes > kLargest || large.offset > kLargest)
    damaged(at, member.name + " has a size or a place no file has");
  member.bytes = static_cast<int64_t>(large.bytes);
  member.packed_bytes = static_cast<int64_t>(large.packed_bytes);
  member.offset = static_cast<int64_t>(large.offset) + directory.shift;
  const int64_t end = member.offset + kZipHeaderBytes + static_cast<int64_t>(name) + member.packed_bytes;
  if (member.offset < 0 || end > directory.offset)
    damaged(at, member.name + " ends at byte " + std::to_string(end) + ", behind the beginning of the directory at " +
                    std::to_string(directory.offset));
  member.extent = std::min(end - member.offset + kLargestExtra, directory.offset - member.offset);
  rest.remove_prefix(kEntryBytes + name + extra + comment);
  return member;
}

// The header before a member's bytes may have a longer extra field than the directory tells: read up to the next one.
void shorten_extents(std::vector<ZipMember>& members) {
  std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
  for (size_t i = 0; i + 1 < members.size(); ++i)
    members[i].extent = std::min(members[i].extent, members[i + 1].offset - members[i].offset);
}

std::string_view file_name(std::string_view name) { return name.substr(name.rfind('/') + 1); }

}  // namespace

std::string_view zip_folder(std::string_view name) {
  const size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : name.substr(0, slash);
}

std::vector<ZipMember> read_zip_directory(const ZipDirectory& directory, const NamePatterns& folders,
                                          const NamePatterns& files) {
  std::vector<ZipMember> members;
  std::string_view rest = directory.bytes;
  for (int64_t i = 0; i < directory.count; ++i)
    members.push_back(
        read_entry(rest, directory.offset + static_cast<int64_t>(directory.bytes.size() - rest.size()), directory));
  shorten_extents(members);
  std::erase_if(members, [&](const ZipMember& member) {
    const std::string folder(file_name(zip_folder(member.name))), file(file_name(member.name));
    // What macOS adds to archives looks like images by its names.
    return file.empty() || member.name.starts_with("__MACOSX/") || !folders.match(folder) || !files.match(file);
  });
  std::stable_sort(members.begin(), members.end(), [](const ZipMember& a, const ZipMember& b) {
    const int by_folder = zip_folder(a.name).compare(zip_folder(b.name));
    return by_folder ? by_folder < 0 : a.name < b.name;
  });
  const auto doubles = std::unique(members.rbegin(), members.rend(),
                                   [](const ZipMember& a, const ZipMember& b) { return a.name == b.name; });
  members.erase(members.begin(), doubles.base());
  return members;
}

}  // namespace penstock
