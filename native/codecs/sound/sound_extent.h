// Checks that a sound file has as many bytes as its header promises.
#pragma once

#include "codecs/byte_source.h"

namespace penstock {

/// Throws where the file ends before its header says. False where its format does not tell, or is not known here: then
/// a file that was cut off looks like a shorter one. `whole` is whether all of the sound is wanted.
bool tells_extent(ByteSource& bytes, bool whole);

}  // namespace penstock
