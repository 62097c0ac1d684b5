// Reads whole files for a batch: what `readers.File` and everything that stores one sample per file stand on.
#pragma once

#include <string>
#include <vector>

#include "runtime/pool.h"
#include "runtime/samples.h"

namespace penstock {

struct WholeFiles {
  Samples samples;
  std::vector<std::string> errors;  // by file; an empty text where it was read
};

/// The bytes of every file as one u8 vector each, in one pooled block. An empty file is an empty sample.
WholeFiles read_files(Pool& pool, const std::vector<std::string>& paths);

}  // namespace penstock
