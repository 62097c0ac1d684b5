#include "os/file_mapping.h"

namespace penstock {

std::shared_ptr<const FileMapping> FileMapping::of(const std::string&, const FileStatus&) { return nullptr; }

FileMapping::~FileMapping() = default;

bool FileMapping::fetch_missing(int64_t, int64_t) const { return false; }

}  // namespace penstock
