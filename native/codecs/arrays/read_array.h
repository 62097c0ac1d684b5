// Reads an array, or a window of it, from where a file keeps it.
#pragma once

#include "codecs/arrays/stored_array.h"
#include "memory/scratch.h"

namespace penstock {

/// The window whose first element is at `anchor`, as large as `out`, which has elements of the array's `dtype`. What
/// lies beyond the array becomes `fill`, an element. Not much more of the file is read than the window needs.
void read_window(View out, ByteSource& file, const StoredArray& array, const Shape& anchor, const std::byte* fill,
                 Scratch& scratch);

}  // namespace penstock
