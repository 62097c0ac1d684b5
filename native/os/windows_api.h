// Windows' own header without what nobody here uses and without its macros `min` and `max`. For `_windows.cc` only.
#pragma once

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

#include <string>

namespace penstock {

/// A path in UTF-8, as Python's os.fsencode gives it, in the form that Windows takes.
std::wstring wide_path(const std::string& path);

/// A name that Windows gave, in UTF-8.
std::string utf8_name(const wchar_t* name);

/// The number of POSIX, one of errno's, for what went wrong in the last call.
int last_error();

}  // namespace penstock
