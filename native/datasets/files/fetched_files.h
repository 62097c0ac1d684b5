// Files that are fetched from disks before they are read.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "datasets/files/files.h"

namespace penstock {

/// Files by path that stay open between the request to fetch them and the reading of them: to open a file a second time
/// costs half as much as to read a small one.
class FetchedFiles {
 public:
  /// To be called before files are fetched for a batch. Closes those that were not read within a batch since.
  void begin_batch();

  /// Keeps a file open, if there are not too many.
  void keep(const std::string& path, std::unique_ptr<FileBytes> file);

  /// A file that was kept, which it is no longer; else null.
  std::unique_ptr<FileBytes> take(const std::string& path);

 private:
  struct Kept {
    std::unique_ptr<FileBytes> file;
    size_t batch;
  };

  std::mutex mutex_;
  std::unordered_map<std::string, Kept> kept_;
  size_t batch_ = 0;
};

}  // namespace penstock
