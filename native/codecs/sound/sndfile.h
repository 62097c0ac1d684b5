// Sound files through libsndfile, a shared library found at run time: without it only these formats are missing.
#pragma once

#include <memory>
#include <string>

#include "codecs/sound/sound.h"

namespace penstock {

/// Loads the library; throws with the reason where that fails. Once loaded it stays, and further calls do nothing.
void load_sndfile(const std::string& path);

bool has_sndfile();

/// Throws where the library is not loaded, or does not know what the bytes are.
std::unique_ptr<Sound> open_with_sndfile(std::unique_ptr<ByteSource> bytes, bool tells_extent);

}  // namespace penstock
