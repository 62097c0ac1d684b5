#include "os/folder.h"
#include "os/windows_api.h"

namespace penstock {

int for_each_entry(const std::string& path, EntryKind kind, const std::function<bool(const std::string&)>& wanted,
                   const std::function<void(const std::string&)>& take) {
  WIN32_FIND_DATAW entry;
  const HANDLE search = FindFirstFileExW((wide_path(path) + L"\\*").c_str(), FindExInfoBasic, &entry,
                                         FindExSearchNameMatch, nullptr, FIND_FIRST_EX_LARGE_FETCH);
  if (search == INVALID_HANDLE_VALUE) return last_error();
  do {
    const std::string name = utf8_name(entry.cFileName);
    // Links tell what they lead to, and are listed as that.
    const bool is_folder = entry.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
    if (name != "." && name != ".." && is_folder == (kind == EntryKind::folder) && wanted(name)) take(name);
  } while (FindNextFileW(search, &entry));
  FindClose(search);
  return 0;
}

}  // namespace penstock
