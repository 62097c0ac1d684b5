// Walks the headers of a tar archive: ustar, GNU and pax, from any place that can be read at an offset.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace penstock {

constexpr int64_t kTarBlock = 512;

/// A regular file of an archive; its bytes begin at `offset`.
struct TarMember {
  std::string name;
  int64_t offset = 0;
  int64_t size = 0;
};

/// The bytes at an offset: as many as asked for, or more; fewer only at the end of the archive.
using ReadAt = std::function<std::string(int64_t offset, int64_t length)>;

/// Calls `found` for every regular file of the archive, in order. Throws where the archive is damaged or ends early.
void scan_tar(const ReadAt& read, int64_t archive_bytes, const std::function<void(TarMember)>& found);

/// Why a block is not the header of a file of `size` bytes called `name` (of any name where that is empty).
/// An empty text where it is.
std::string tar_header_problem(std::string_view block, std::string_view name, int64_t size);

}  // namespace penstock
