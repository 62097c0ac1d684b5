#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "os/file.h"

namespace penstock {
namespace {

FileStatus told_by(const struct stat& status) {
  FileStatus told;
  told.kind = S_ISREG(status.st_mode)   ? FileStatus::Kind::file
              : S_ISDIR(status.st_mode) ? FileStatus::Kind::folder
                                        : FileStatus::Kind::other;
  told.bytes = status.st_size;
  told.device = static_cast<uint64_t>(status.st_dev);
  told.number = static_cast<uint64_t>(status.st_ino);
  return told;
}

}  // namespace

bool is_absolute(std::string_view path) { return path.starts_with('/'); }

int file_status(const std::string& path, FileStatus& status) {
  struct stat found;
  if (::stat(path.c_str(), &found) != 0) return errno;
  status = told_by(found);
  return 0;
}

FileHandle::~FileHandle() {
  if (handle_ != kClosed) ::close(static_cast<int>(handle_));
}

int FileHandle::open(const std::string& path, FileStatus& status) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat found;
  if (descriptor < 0) return errno;
  handle_ = descriptor;
  if (::fstat(descriptor, &found) != 0) return errno;
  status = told_by(found);
  return 0;
}

int FileHandle::read(std::byte* out, int64_t offset, int64_t wanted, int64_t& got) const {
  do {
    got = ::pread(static_cast<int>(handle_), out, static_cast<size_t>(wanted), offset);
  } while (got < 0 && errno == EINTR);
  return got < 0 ? errno : 0;
}

#if defined(RWF_NOWAIT) && defined(POSIX_FADV_WILLNEED)
int FileHandle::read_or_fetch(std::byte* out, int64_t offset, int64_t wanted, int64_t& got) const {
  static std::atomic<bool> is_known{true};  // to the system, and to its file systems
  if (is_known.load(std::memory_order_relaxed)) {
    const int descriptor = static_cast<int>(handle_);
    const iovec place{out, static_cast<size_t>(wanted)};
    got = ::preadv2(descriptor, &place, 1, offset, RWF_NOWAIT);
    if (got >= 0) return 0;
    if (errno == EAGAIN) {
      ::posix_fadvise(descriptor, offset, wanted, POSIX_FADV_WILLNEED);
      return EAGAIN;
    }
    if (errno == EOPNOTSUPP || errno == EINVAL || errno == ENOSYS) is_known = false;
  }
  return read(out, offset, wanted, got);
}
#else
int FileHandle::read_or_fetch(std::byte* out, int64_t offset, int64_t wanted, int64_t& got) const {
  return read(out, offset, wanted, got);
}
#endif

}  // namespace penstock
