// Files: what a path leads to, and reading at an offset. Problems are numbers of errno on every system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace penstock {

struct FileStatus {
  enum class Kind { file, folder, other };

  Kind kind = Kind::other;
  int64_t bytes = 0;
  uint64_t device = 0, number = 0;  // which tell one file from another

  /// Whether it is the same file, of the same size. Its contents may differ.
  bool operator==(const FileStatus&) const = default;
};

/// Whether a path does not depend on the folder that it is joined with.
bool is_absolute(std::string_view path);

/// Fills in what a path leads to, links followed. Zero, or what went wrong.
int file_status(const std::string& path, FileStatus& status);

/// A file that is open for reading, from several threads at once if need be.
class FileHandle {
 public:
  FileHandle() = default;
  ~FileHandle();
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;

  /// Opens the path without waiting, as a FIFO would for its writer. Zero, or what went wrong. Once for each object.
  int open(const std::string& path, FileStatus& status);

  /// Fills in how many bytes it got, which may be fewer than asked for; none are left at the end of the file. Zero, or
  /// what went wrong.
  int read(std::byte* out, int64_t offset, int64_t wanted, int64_t& got) const;

  /// The same where nobody has to wait for a disk. Else EAGAIN: the system fetches the bytes meanwhile, if it can.
  int read_or_fetch(std::byte* out, int64_t offset, int64_t wanted, int64_t& got) const;

  /// Whether `read_or_fetch` does not wait, as far as is known by now: not all file systems can do that.
  static bool fetches();

  /// Has the system bring bytes into memory that are read soon, without waiting for them. False where they are there
  /// already, or where the system cannot be asked: on Windows and macOS it never is.
  bool fetch(int64_t offset, int64_t bytes) const;

  /// The same for a stretch of many megabytes that is read soon, in whatever order: the system goes through it from the
  /// front to the back, as where somebody reads it so, in larger requests and larger pages than where it is asked for
  /// parts of it. Waits only where the disk has as many requests as it takes.
  bool fetch_stretch(int64_t offset, int64_t bytes) const;

  /// What the system calls it.
  intptr_t handle() const { return handle_; }

 private:
  static constexpr intptr_t kClosed = -1;
  intptr_t handle_ = kClosed;
};

}  // namespace penstock
