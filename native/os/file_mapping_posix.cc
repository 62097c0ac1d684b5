#include <sys/mman.h>

#include <algorithm>

#include "os/file_mapping.h"
#include "os/pages.h"

namespace penstock {
#ifdef __linux__
namespace {

// So many at a time, which is also what the system fetches at once where it is asked for more.
constexpr int64_t kPagesAtATime = 32;

// A look takes a microsecond, as long as to copy some ten kilobytes.
constexpr unsigned kLooks = 64, kCallsPerLook = 16;

}  // namespace
#endif

std::shared_ptr<const FileMapping> FileMapping::of(const std::string& path, const FileStatus& status) {
  FileHandle file;
  FileStatus opened;
  if (file.open(path, opened) != 0 || opened != status) return nullptr;
  void* data = ::mmap(nullptr, status.bytes, PROT_READ, MAP_SHARED, static_cast<int>(file.handle()), 0);
  if (data == MAP_FAILED) return nullptr;
  return std::shared_ptr<const FileMapping>(new FileMapping(static_cast<const std::byte*>(data), status));
}

#ifdef __linux__
bool FileMapping::fetch_missing(int64_t offset, int64_t bytes) const {
  const unsigned calls = calls_.fetch_add(1, std::memory_order_relaxed);
  if (calls >= kLooks && calls % kCallsPerLook) return false;
  const auto page = static_cast<int64_t>(page_size());
  const int64_t end = offset + bytes;
  bool fetches = false;
  for (int64_t at = offset / page * page; at < end; at += kPagesAtATime * page) {
    std::byte* const begin = const_cast<std::byte*>(data_) + at;
    const auto length = static_cast<size_t>(std::min(end - at, kPagesAtATime * page));
    unsigned char in_memory[kPagesAtATime];
    std::fill(std::begin(in_memory), std::end(in_memory), 1);
    if (::mincore(begin, length, in_memory) != 0) return fetches;
    if (std::all_of(std::begin(in_memory), std::end(in_memory), [](unsigned char page) { return page & 1; })) continue;
    fetches |= ::madvise(begin, length, MADV_WILLNEED) == 0;
  }
  if (fetches) calls_.store(0, std::memory_order_relaxed);
  return fetches;
}
#else
bool FileMapping::fetch_missing(int64_t, int64_t) const { return false; }
#endif

FileMapping::~FileMapping() { ::munmap(const_cast<std::byte*>(data_), status_.bytes); }

}  // namespace penstock
