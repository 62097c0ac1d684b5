#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <vector>

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

#if defined(RWF_NOWAIT) && defined(SYS_preadv2) && defined(POSIX_FADV_WILLNEED)
// A stretch is looked at so often. Linux reads ahead, from a page that it has marked in what it fetched before, when
// somebody comes to that page: the first of such a block, or the last.
constexpr int64_t kLookedAt = 64 << 10;
// No longer than this, where a disk takes few requests at a time: whoever asks has a batch to read.
constexpr std::chrono::milliseconds kLongestLook{100};
// Of a stretch that is in memory so far not all is looked at.
constexpr int64_t kLookedAtInMemory = 1 << 20;

// Linux fetches no more for one request than it would read ahead, which is so much if nobody changed it.
constexpr int64_t kFetchedAtOnce = 128 << 10;

std::atomic<bool> reads_without_waiting{true};  // as far as is known of the system and its file systems

// preadv2, which musl has since 1.2.5 only: with the name of the function, a wheel built there could not be loaded with
// an older one. The system takes the offset as two halves and, where a register holds it whole, looks at the first.
int64_t read_without_waiting(int descriptor, std::byte* out, int64_t offset, int64_t wanted) {
  static_assert(sizeof(long) == sizeof(int64_t));
  const iovec place{out, static_cast<size_t>(wanted)};
  return ::syscall(SYS_preadv2, descriptor, &place, 1L, offset, 0L, RWF_NOWAIT);
}

// Before Linux 5.10 a read that does not wait fetches nothing either.
bool reads_that_wait_not_fetch() {
  static const bool they_do = [] {
    utsname system;
    int major = 0, minor = 0;
    return ::uname(&system) == 0 && std::sscanf(system.release, "%d.%d", &major, &minor) == 2 &&
           (major > 5 || (major == 5 && minor >= 10));
  }();
  return they_do;
}

void ask_for(int descriptor, int64_t offset, int64_t bytes) {
  for (int64_t done = 0; done < bytes; done += kFetchedAtOnce)
    ::posix_fadvise(descriptor, offset + done, std::min(kFetchedAtOnce, bytes - done), POSIX_FADV_WILLNEED);
}
#endif

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

#if defined(RWF_NOWAIT) && defined(SYS_preadv2) && defined(POSIX_FADV_WILLNEED)
int FileHandle::read_or_fetch(std::byte* out, int64_t offset, int64_t wanted, int64_t& got) const {
  if (reads_without_waiting.load(std::memory_order_relaxed)) {
    const int descriptor = static_cast<int>(handle_);
    got = read_without_waiting(descriptor, out, offset, wanted);
    if (got >= 0) return 0;
    if (errno == EAGAIN) {
      ask_for(descriptor, offset, wanted);
      return EAGAIN;
    }
    if (errno == EOPNOTSUPP || errno == EINVAL || errno == ENOSYS) reads_without_waiting = false;
  }
  return read(out, offset, wanted, got);
}

// Asked for before it is looked at: to read a byte that is not there would have the system fetch a few pages around it,
// and then the rest by a second request.
bool FileHandle::fetch(int64_t offset, int64_t bytes) const {
  if (bytes < 1 || !reads_without_waiting.load(std::memory_order_relaxed)) return false;
  const int descriptor = static_cast<int>(handle_);
  ask_for(descriptor, offset, bytes);
  std::byte last;
  return read_without_waiting(descriptor, &last, offset + bytes - 1, 1) < 0 && errno == EAGAIN;
}

bool FileHandle::fetch_stretch(int64_t offset, int64_t bytes) const {
  if (!reads_that_wait_not_fetch()) return fetch(offset, bytes);
  if (bytes < 1 || !reads_without_waiting.load(std::memory_order_relaxed)) return false;
  std::vector<std::byte> seen(kLookedAt);  // as much as is read first tells Linux how much to begin with
  const auto is_missing = [&](int64_t at, int64_t n) {
    return read_without_waiting(static_cast<int>(handle_), seen.data(), at, n) < 0 && errno == EAGAIN;
  };
  const int64_t end = offset + bytes;
  int64_t at = offset / kLookedAt * kLookedAt, got = 0;
  // Linux sees that somebody reads on where the page before was the last one read; at the beginning of a file by
  // itself. This alone may wait for the disk, where nobody has read what is before the stretch.
  if (at > 0 && read(seen.data(), at - 1, 1, got) != 0) return false;
  bool fetches = is_missing(at, kLookedAt);
  const auto begun = std::chrono::steady_clock::now();
  while (at < end && std::chrono::steady_clock::now() - begun < kLongestLook) {
    const bool first = is_missing(at, 1), last = is_missing(at + kLookedAt - 1, 1);
    fetches |= first || last;
    at += fetches ? kLookedAt : kLookedAtInMemory;
  }
  return fetches;
}

bool FileHandle::fetches() { return reads_without_waiting.load(std::memory_order_relaxed); }
#else
int FileHandle::read_or_fetch(std::byte* out, int64_t offset, int64_t wanted, int64_t& got) const {
  return read(out, offset, wanted, got);
}

bool FileHandle::fetch(int64_t, int64_t) const { return false; }

bool FileHandle::fetch_stretch(int64_t, int64_t) const { return false; }

bool FileHandle::fetches() { return false; }
#endif

}  // namespace penstock
