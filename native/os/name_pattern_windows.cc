#include "os/name_pattern.h"
#include "os/windows_api.h"

namespace penstock {
namespace {

// Compares units of UTF-16, so that `?` stands for a letter and not for a byte of it.
struct Letters {
  bool case_sensitive;

  wchar_t folded(wchar_t letter) const {
    if (case_sensitive) return letter;
    CharLowerBuffW(&letter, 1);
    return letter;
  }

  /// Where the set that begins at `at`, a `[`, ends and whether the letter is in it. Null where nothing closes it: then
  /// it is an ordinary letter.
  const wchar_t* in_set(const wchar_t* at, wchar_t letter, bool& is_in) const {
    const wchar_t* next = at + 1;
    const bool negated = *next == L'!' || *next == L'^';
    if (negated) ++next;
    bool found = false;
    for (const wchar_t* first = next; *next && (*next != L']' || next == first);) {
      if (*next == L'\\' && next[1]) ++next;
      const wchar_t low = *next++;
      wchar_t high = low;
      if (next[0] == L'-' && next[1] && next[1] != L']') {
        next += next[1] == L'\\' && next[2] ? 2 : 1;
        high = *next++;
      }
      found |= folded(low) <= folded(letter) && folded(letter) <= folded(high);
    }
    is_in = found != negated;
    return *next ? next + 1 : nullptr;
  }

  /// The rest of a pattern after what stands for one letter; null where that is another letter.
  const wchar_t* after_one(const wchar_t* pattern, wchar_t letter) const {
    if (*pattern == L'?') return pattern + 1;
    bool is_in = false;
    if (*pattern == L'[')
      if (const wchar_t* rest = in_set(pattern, letter, is_in)) return is_in ? rest : nullptr;
    if (*pattern == L'\\' && pattern[1]) ++pattern;
    return *pattern && folded(*pattern) == folded(letter) ? pattern + 1 : nullptr;
  }

  // Only the last `*` is gone back to: what the ones before it matched need not change.
  bool match(const wchar_t* name, const wchar_t* pattern) const {
    const wchar_t *star = nullptr, *resumed = nullptr;
    while (*name) {
      if (*pattern == L'*') {
        star = ++pattern;
        resumed = name;
      } else if (const wchar_t* rest = after_one(pattern, *name)) {
        pattern = rest;
        ++name;
      } else if (star) {
        pattern = star;
        name = ++resumed;
      } else {
        return false;
      }
    }
    while (*pattern == L'*') ++pattern;
    return !*pattern;
  }
};

}  // namespace

bool matches_pattern(const char* name, const char* pattern, bool case_sensitive) {
  return Letters{case_sensitive}.match(wide_path(name).c_str(), wide_path(pattern).c_str());
}

}  // namespace penstock
