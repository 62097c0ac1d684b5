// Shell patterns for names of files.
#pragma once

namespace penstock {

/// Whether a pattern with `*`, `?` and `[a-z]` or `[!a-z]` is the whole name; `\` takes the next character as it is.
bool matches_pattern(const char* name, const char* pattern, bool case_sensitive);

}  // namespace penstock
