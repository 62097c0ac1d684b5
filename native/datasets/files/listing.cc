#include "datasets/files/listing.h"

#include <algorithm>
#include <cstring>
#include <system_error>

#include "os/folder.h"
#include "os/name_pattern.h"

namespace penstock {
namespace {

struct FoundNames {
  std::string names;  // sorted, each closed by a zero byte
  int64_t count = 0;
  std::string error;
};

// One text for all names and a place in it for each: as strings, names would take three times the memory.
FoundNames list(const std::string& path, EntryKind kind, const NamePatterns& patterns, const std::string& prefix) {
  std::string text;
  std::vector<size_t> places;
  const int problem = for_each_entry(
      path, kind, [&](const std::string& name) { return patterns.match(name); },
      [&](const std::string& name) {
        places.push_back(text.size());
        text.append(name).append(1, '\0');
      });
  if (problem) return {{}, 0, "Failed to open " + path + ": " + std::generic_category().message(problem)};
  std::sort(places.begin(), places.end(), [&](size_t a, size_t b) { return std::strcmp(&text[a], &text[b]) < 0; });
  FoundNames found{{}, static_cast<int64_t>(places.size()), {}};
  found.names.reserve(text.size() + places.size() * prefix.size());
  for (const size_t place : places) found.names.append(prefix).append(&text[place]).append(1, '\0');
  return found;
}

char lower_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Most patterns are "*.jpg" and the like, and comparing the end of a name is far cheaper than matching it.
bool is_suffix(const std::string& pattern) {
  return pattern.starts_with('*') && std::all_of(pattern.begin() + 1, pattern.end(), [](char c) {
           return c > ' ' && c <= '~' && std::string("*?[\\").find(c) == std::string::npos;
         });
}

}  // namespace

NamePatterns::NamePatterns(const std::vector<std::string>& patterns, bool case_sensitive)
    : case_sensitive_(case_sensitive) {
  for (const std::string& pattern : patterns) {
    if (is_suffix(pattern))
      suffixes_.push_back(pattern.substr(1));
    else
      patterns_.push_back(pattern);
  }
}

bool NamePatterns::match(const std::string& name) const {
  const auto ends_with = [&](const std::string& suffix) {
    if (name.size() < suffix.size()) return false;
    const char* end = name.c_str() + name.size() - suffix.size();
    return case_sensitive_ ? suffix == end : std::equal(suffix.begin(), suffix.end(), end, [](char a, char b) {
      return lower_letter(a) == lower_letter(b);
    });
  };
  const auto matches = [&](const std::string& pattern) {
    return matches_pattern(name.c_str(), pattern.c_str(), case_sensitive_);
  };
  return std::any_of(suffixes_.begin(), suffixes_.end(), ends_with) ||
         std::any_of(patterns_.begin(), patterns_.end(), matches);
}

ClassFiles list_class_files(Pool& pool, const std::string& root, const NamePatterns& folders,
                            const NamePatterns& files) {
  const FoundNames classes = list(root, EntryKind::folder, folders, "");
  if (!classes.error.empty()) return {{}, {}, {}, classes.error};
  std::vector<std::string> names;
  for (size_t at = 0; at < classes.names.size(); at += names.back().size() + 1) names.push_back(&classes.names[at]);
  std::vector<FoundNames> found(names.size());
  pool.for_each(found.size(), [&](size_t i, Scratch&) {
    found[i] = list(root + '/' + names[i], EntryKind::file, files, names[i] + '/');
  });
  ClassFiles result;
  result.folders = classes.names;
  for (FoundNames& folder : found) {
    if (!folder.error.empty()) return {{}, {}, {}, folder.error};
    result.counts.push_back(folder.count);
    result.names.push_back(std::move(folder.names));
  }
  return result;
}

}  // namespace penstock
