// The samples of a tar archive: files beside each other whose names differ only in what follows the first dot.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/archives/tar.h"

namespace penstock {

struct Component {
  std::string extension;
  TarMember member;
};

/// The components of a sample, in the order in which they lie in the archive.
using Components = std::vector<Component>;

/// Told of the samples in order. `line` is the one of the index a sample stands in, or 0.
using EachSample = std::function<void(Components sample, int64_t line)>;

/// The samples of an archive, from its headers.
void scan_samples(const ReadAt& read, int64_t archive_bytes, const EachSample& each);

/// The samples an index file tells of. Throws where it is malformed or points behind the end of the archive.
void read_tar_index(std::string_view index, int64_t archive_bytes, const EachSample& each);

/// The line of an index file that `sample` stands in.
std::string tar_index_line(const Components& sample);

}  // namespace penstock
