// A file in the memory of the process.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "os/file.h"

namespace penstock {

/// As long as this object is there. If the file is cut short meanwhile, its last pages are gone, which only a
/// `guarded_copy` survives.
class FileMapping {
 public:
  /// Null where the file cannot be mapped, or is not the one with that status any more. On Windows nothing is: nobody
  /// could overwrite, rename or delete a file as long as it was mapped.
  static std::shared_ptr<const FileMapping> of(const std::string& path, const FileStatus& status);
  ~FileMapping();
  FileMapping(const FileMapping&) = delete;
  FileMapping& operator=(const FileMapping&) = delete;

  /// Whether a file that is still there is this one. Its contents may have changed: so have those of the mapping.
  bool is_of(const FileStatus& status) const { return status == status_; }
  int64_t size() const { return status_.bytes; }
  const std::byte* data() const { return data_; }

 private:
  FileMapping(const std::byte* data, const FileStatus& status) : data_(data), status_(status) {}

  const std::byte* data_;
  FileStatus status_;
};

}  // namespace penstock
