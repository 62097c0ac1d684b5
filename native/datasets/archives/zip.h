// The central directory of a zip archive: which files it holds, and where.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/files/listing.h"

namespace penstock {

/// What stands before the bytes of a member, without its name and extra field.
constexpr int64_t kZipHeaderBytes = 30;

struct ZipMember {
  std::string name;
  int64_t offset = 0;  // of the header before its bytes
  int64_t extent = 0;  // how much to read from there to have all its bytes
  int64_t packed_bytes = 0;
  int64_t bytes = 0;
  uint32_t crc = 0;
  int method = 0;
  bool encrypted = false;
};

/// Where the directory lies in the archive, and how far everything is shifted by bytes before the archive.
struct ZipDirectory {
  std::string_view bytes;
  int64_t offset = 0;
  int64_t shift = 0;
  int64_t count = 0;
};

/// The files whose names, and whose folders' names, match the patterns: sorted by folder, then by name. Of several
/// with one name the last counts. Throws where the directory is damaged.
std::vector<ZipMember> read_zip_directory(const ZipDirectory& directory, const NamePatterns& folders,
                                          const NamePatterns& files);

/// The folder in a member's name, without the slash; empty where there is none.
std::string_view zip_folder(std::string_view name);

}  // namespace penstock
