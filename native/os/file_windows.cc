#include <algorithm>

#include "os/file.h"
#include "os/windows_api.h"

namespace penstock {
namespace {

// Others may go on to write, rename or delete the file. Folders are opened as well, to be told from files.
HANDLE opened(const std::string& path, DWORD access) {
  return CreateFileW(wide_path(path).c_str(), access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                     OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
}

int64_t joined_halves(DWORD high, DWORD low) { return (static_cast<int64_t>(high) << 32) | low; }

int ask(HANDLE file, FileStatus& status) {
  BY_HANDLE_FILE_INFORMATION found;
  if (GetFileType(file) != FILE_TYPE_DISK) {
    status = {};
    return 0;
  }
  if (!GetFileInformationByHandle(file, &found)) return last_error();
  const bool is_folder = found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
  status.kind = is_folder ? FileStatus::Kind::folder : FileStatus::Kind::file;
  status.bytes = joined_halves(found.nFileSizeHigh, found.nFileSizeLow);
  status.device = found.dwVolumeSerialNumber;
  status.number = static_cast<uint64_t>(joined_halves(found.nFileIndexHigh, found.nFileIndexLow));
  return 0;
}

}  // namespace

bool is_absolute(std::string_view path) {
  return path.starts_with('/') || path.starts_with('\\') || (path.size() > 1 && path[1] == ':');
}

int file_status(const std::string& path, FileStatus& status) {
  const HANDLE file = opened(path, FILE_READ_ATTRIBUTES);
  if (file == INVALID_HANDLE_VALUE) return last_error();
  const int problem = ask(file, status);
  CloseHandle(file);
  return problem;
}

FileHandle::~FileHandle() {
  if (handle_ != kClosed) CloseHandle(reinterpret_cast<HANDLE>(handle_));
}

int FileHandle::open(const std::string& path, FileStatus& status) {
  const HANDLE file = opened(path, GENERIC_READ);
  if (file == INVALID_HANDLE_VALUE) return last_error();
  handle_ = reinterpret_cast<intptr_t>(file);
  return ask(file, status);
}

int FileHandle::read(std::byte* out, int64_t offset, int64_t wanted, int64_t& got) const {
  constexpr int64_t kMostAtOnce = 1 << 30;
  OVERLAPPED place{};
  place.Offset = static_cast<DWORD>(offset);
  place.OffsetHigh = static_cast<DWORD>(offset >> 32);
  DWORD done = 0;
  const auto asked = static_cast<DWORD>(std::min(wanted, kMostAtOnce));
  const bool was_read = ReadFile(reinterpret_cast<HANDLE>(handle_), out, asked, &done, &place);
  got = done;
  return was_read || GetLastError() == ERROR_HANDLE_EOF ? 0 : last_error();
}

int FileHandle::read_or_fetch(std::byte* out, int64_t offset, int64_t wanted, int64_t& got) const {
  return read(out, offset, wanted, got);
}

bool FileHandle::fetches() { return false; }

bool FileHandle::fetch(int64_t, int64_t) const { return false; }

bool FileHandle::fetch_stretch(int64_t, int64_t) const { return false; }

}  // namespace penstock
