// The pages of Ogg files, which are looked through before a decoder gets them.
#pragma once

#include "codecs/byte_source.h"

namespace penstock {

bool is_ogg(ByteSource& bytes);

/// Throws where a page is damaged or missing, or the last one of a stream is not marked as its end: the file was cut.
/// Checksums are compared of all pages, or without `thoroughly` of those before the sound.
void require_whole_ogg(ByteSource& bytes, bool thoroughly);

}  // namespace penstock
