// Whether entries of libjpeg's private structs can be replaced.
#pragma once

namespace penstock {

/// Whether libjpeg calls what is put in place of its entropy decoder and encoder. The library of a system may be any
/// version, so the first call codes a small picture with and without replacements; later calls return its result.
/// False also where PENSTOCK_LIBJPEG=public asks for the public interface alone.
bool can_replace_entropy_coding();

}  // namespace penstock
