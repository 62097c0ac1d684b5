#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <memory>

#include "os/folder.h"

namespace penstock {
namespace {

bool is_kind(DIR* folder, const dirent& entry, EntryKind kind) {
  if (entry.d_type == DT_REG) return kind == EntryKind::file;
  if (entry.d_type == DT_DIR) return kind == EntryKind::folder;
  if (entry.d_type == DT_LNK && kind == EntryKind::file) return true;
  if (entry.d_type != DT_LNK && entry.d_type != DT_UNKNOWN) return false;
  struct stat status;
  const int follow = kind == EntryKind::folder ? 0 : AT_SYMLINK_NOFOLLOW;
  if (::fstatat(::dirfd(folder), entry.d_name, &status, follow) != 0) return false;
  return kind == EntryKind::folder ? S_ISDIR(status.st_mode) : S_ISREG(status.st_mode) || S_ISLNK(status.st_mode);
}

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

}  // namespace

int for_each_entry(const std::string& path, EntryKind kind, const std::function<bool(const std::string&)>& wanted,
                   const std::function<void(const std::string&)>& take) {
  const std::unique_ptr<DIR, CloseFolder> folder(::opendir(path.c_str()));
  if (!folder) return errno;
  std::string name;
  while (const dirent* entry = ::readdir(folder.get())) {
    name = entry->d_name;
    if (name != "." && name != ".." && wanted(name) && is_kind(folder.get(), *entry, kind)) take(name);
  }
  return 0;
}

}  // namespace penstock
