// Reads an array from each of many files into one batch.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codecs/arrays/stored_array.h"
#include "kernels/array/axis_map.h"
#include "kernels/array/window_rule.h"
#include "memory/samples.h"
#include "runtime/pool.h"

namespace penstock {

struct ArrayOptions {
  std::shared_ptr<const WindowRule> rule;  // which part of the arrays is read; all of them without
  Border border = Border::error;
  float fill = 0;
  std::optional<DType> dtype;  // what elements are converted to
  int64_t max_bytes = 0;       // that one of them may take
};

struct ArrayBatch {
  Samples samples;                  // of use only without errors
  std::vector<std::string> errors;  // by file; an empty text where nothing is wrong with it
};

/// Opens a file by number; also one that was open a moment ago, if `again`.
using OpenFile = std::function<std::unique_ptr<ByteSource>(size_t, bool again)>;

/// The arrays in n files, which must have one element type, if they are not converted, and one number of axes.
ArrayBatch read_arrays(Pool& pool, size_t n, const OpenFile& open, const ArrayFormat& format,
                       const ArrayOptions& options);

/// The arrays in files that are in memory, where they are left if they can be.
ArrayBatch arrays_within(Pool& pool, const Samples& files, const ArrayFormat& format, const ArrayOptions& options);

/// Offset and number of the bytes from the first to the last one that a window of the array needs.
struct Extent {
  int64_t offset = 0, bytes = 0;
};
Extent extent_of(const StoredArray& array, const ArrayOptions& options, size_t sample);

}  // namespace penstock
