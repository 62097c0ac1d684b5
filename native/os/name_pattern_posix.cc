#include <fnmatch.h>

#include "os/name_pattern.h"

#ifndef FNM_CASEFOLD
#error "fnmatch() cannot ignore the case of letters here"
#endif

namespace penstock {

bool matches_pattern(const char* name, const char* pattern, bool case_sensitive) {
  return ::fnmatch(pattern, name, case_sensitive ? 0 : FNM_CASEFOLD) == 0;
}

}  // namespace penstock
