// Shared libraries that are loaded at run time.
#pragma once

#include <string>

namespace penstock {

/// Loads a library, which stays. Throws with the system's reason where that fails.
void* load_library(const std::string& path);

/// A function of a library; null where it has none of that name.
void* function_of(void* library, const char* name);

/// Whether both addresses are inside of the same loaded library or program.
bool are_of_one_library(const void* one, const void* other);

}  // namespace penstock
