#include <sys/mman.h>

#include "os/file_mapping.h"

namespace penstock {

std::shared_ptr<const FileMapping> FileMapping::of(const std::string& path, const FileStatus& status) {
  FileHandle file;
  FileStatus opened;
  if (file.open(path, opened) != 0 || opened != status) return nullptr;
  void* data = ::mmap(nullptr, status.bytes, PROT_READ, MAP_SHARED, static_cast<int>(file.handle()), 0);
  if (data == MAP_FAILED) return nullptr;
  return std::shared_ptr<const FileMapping>(new FileMapping(static_cast<const std::byte*>(data), status));
}

FileMapping::~FileMapping() { ::munmap(const_cast<std::byte*>(data_), status_.bytes); }

}  // namespace penstock
