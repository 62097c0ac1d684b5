// Finds the files of a data set that keeps each class in a folder of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/pool.h"

namespace penstock {

/// Shell patterns (`*`, `?`, `[a-z]`), of which a name has to match one.
class NamePatterns {
 public:
  NamePatterns(const std::vector<std::string>& patterns, bool case_sensitive);

  bool match(const std::string& name) const;

 private:
  std::vector<std::string> suffixes_;
  std::vector<std::string> patterns_;
  bool case_sensitive_;
};

struct ClassFiles {
  std::vector<std::string> names;  // by folder: "folder/file", each closed by a zero byte
  std::vector<int64_t> counts;     // files in each folder
  std::string folders;             // the names of the folders, each closed by a zero byte
  std::string error;               // what could not be opened, and why; empty if all went well
};

/// The matching files in the matching sub-folders of `root`, both sorted by the bytes of their names.
ClassFiles list_class_files(Pool& pool, const std::string& root, const NamePatterns& folders,
                            const NamePatterns& files);

}  // namespace penstock
