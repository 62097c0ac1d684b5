// A file in the memory of the process.
#pragma once

#include <atomic>
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

  /// Has the system fetch those of the bytes that are not in memory, without waiting for them. False where all are
  /// there; also where the system does not tell, as of files that the user may only read, and on Windows and macOS.
  /// Looks only now and then once all was there for a while.
  bool fetch_missing(int64_t offset, int64_t bytes) const;

 private:
  FileMapping(const std::byte* data, const FileStatus& status) : data_(data), status_(status) {}

  const std::byte* data_;
  FileStatus status_;
  mutable std::atomic<unsigned> calls_{0};  // of fetch_missing since something was missing
};

}  // namespace penstock
