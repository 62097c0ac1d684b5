#include "datasets/files/listing.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <strings.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>

namespace penstock {
namespace {

enum class Kind { file, folder };

// Folders are found through links. A link in a class folder counts as a file; what it points to shows when it is read.
bool is_kind(DIR* dir, const dirent& entry, Kind kind) {
  if (entry.d_type == DT_REG) return kind == Kind::file;
  if (entry.d_type == DT_DIR) return kind == Kind::folder;
  if (entry.d_type == DT_LNK && kind == Kind::file) return true;
  if (entry.d_type != DT_LNK && entry.d_type != DT_UNKNOWN) return false;
  struct stat status;
  const int follow = kind == Kind::folder ? 0 : AT_SYMLINK_NOFOLLOW;
  if (::fstatat(::dirfd(dir), entry.d_name, &status, follow) != 0) return false;
  return kind == Kind::folder ? S_ISDIR(status.st_mode) : S_ISREG(status.st_mode) || S_ISLNK(status.st_mode);
}

struct FoundNames {
  std::string names;  // sorted, each closed by a zero byte
  int64_t count = 0;
  std::string error;
};

// One text for all names and a place in it for each: as strings, names would take three times the memory.
FoundNames list(const std::string& path, Kind kind, const NamePatterns& patterns, const std::string& prefix) {
  const std::unique_ptr<DIR, int (*)(DIR*)> dir(::opendir(path.c_str()), ::closedir);
  if (!dir) return {{}, 0, "Failed to open " + path + ": " + std::generic_category().message(errno)};
  std::string text, name;
  std::vector<size_t> places;
  while (const dirent* entry = ::readdir(dir.get())) {
    name = entry->d_name;
    if (name == "." || name == ".." || !patterns.match(name) || !is_kind(dir.get(), *entry, kind)) continue;
    places.push_back(text.size());
    text.append(name).append(1, '\0');
  }
  std::sort(places.begin(), places.end(), [&](size_t a, size_t b) { return std::strcmp(&text[a], &text[b]) < 0; });
  FoundNames found{{}, static_cast<int64_t>(places.size()), {}};
  found.names.reserve(text.size() + places.size() * prefix.size());
  for (const size_t place : places) found.names.append(prefix).append(&text[place]).append(1, '\0');
  return found;
}

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
    return (case_sensitive_ ? std::strcmp(end, suffix.c_str()) : ::strcasecmp(end, suffix.c_str())) == 0;
  };
  const auto matches = [&](const std::string& pattern) {
    return ::fnmatch(pattern.c_str(), name.c_str(), case_sensitive_ ? 0 : FNM_CASEFOLD) == 0;
  };
  return std::any_of(suffixes_.begin(), suffixes_.end(), ends_with) ||
         std::any_of(patterns_.begin(), patterns_.end(), matches);
}

ClassFiles list_class_files(Pool& pool, const std::string& root, const NamePatterns& folders,
                            const NamePatterns& files) {
  const FoundNames classes = list(root, Kind::folder, folders, "");
  if (!classes.error.empty()) return {{}, {}, {}, classes.error};
  std::vector<std::string> names;
  for (size_t at = 0; at < classes.names.size(); at += names.back().size() + 1) names.push_back(&classes.names[at]);
  std::vector<FoundNames> found(names.size());
  pool.for_each(found.size(),
                [&](size_t i, Scratch&) { found[i] = list(root + '/' + names[i], Kind::file, files, names[i] + '/'); });
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
