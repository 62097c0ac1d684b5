#include "datasets/files/mapped_files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "datasets/files/files.h"
#include "datasets/files/guarded_copy.h"

namespace penstock {
namespace {

// A process may have some 65,000 mappings; pages of files count as its memory, though they can be taken from it.
constexpr size_t kMostFiles = 4096;
constexpr int64_t kMostBytes = 1 << 30;

}  // namespace

/// A file in the memory of the process, as long as this object is there.
class Mapping {
 public:
  /// Null where the file cannot be mapped.
  static std::shared_ptr<const Mapping> of(const std::string& path, const struct stat& status) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return nullptr;
    void* data = ::mmap(nullptr, status.st_size, PROT_READ, MAP_SHARED, descriptor, 0);
    struct stat opened;
    const bool same = ::fstat(descriptor, &opened) == 0 && is_same(opened, status);
    ::close(descriptor);
    if (data == MAP_FAILED) return nullptr;
    std::shared_ptr<const Mapping> mapping(new Mapping(static_cast<const std::byte*>(data), status));
    return same ? mapping : nullptr;
  }
  ~Mapping() { ::munmap(const_cast<std::byte*>(data_), status_.st_size); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  /// Whether a file that is still there is this one. Its contents may have changed: so have those of the mapping.
  bool is_of(const struct stat& status) const { return is_same(status, status_); }
  int64_t size() const { return status_.st_size; }
  const std::byte* data() const { return data_; }

 private:
  Mapping(const std::byte* data, const struct stat& status) : data_(data), status_(status) {}

  static bool is_same(const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size;
  }

  const std::byte* data_;
  struct stat status_;
};

namespace {

class MappedBytes : public ReadBytes {
 public:
  MappedBytes(std::shared_ptr<const Mapping> mapping, const std::string& path)
      : mapping_(std::move(mapping)), path_(path) {}

  int64_t size() const override { return mapping_->size(); }

  void read(std::byte* out, int64_t offset, int64_t n) override {
    const bool is_inside = offset <= size() - n;  // the file may have had more when it was measured
    if (!is_inside || !guarded_copy(out, mapping_->data() + offset, n))
      FileBytes(path_).read(out, offset, n);  // or says why not
  }

 private:
  std::shared_ptr<const Mapping> mapping_;
  std::string path_;
};

}  // namespace

MappedFiles::MappedFiles() = default;
MappedFiles::~MappedFiles() = default;

std::unique_ptr<ByteSource> MappedFiles::open(const std::string& path) {
  if (auto mapping = mapping_of(path)) return std::make_unique<MappedBytes>(std::move(mapping), path);
  return std::make_unique<FileBytes>(path);
}

std::unique_ptr<ByteSource> open_file(MappedFiles* mapped, const std::string& path) {
  return mapped ? mapped->open(path) : std::make_unique<FileBytes>(path);
}

std::shared_ptr<const Mapping> MappedFiles::mapping_of(const std::string& path) {
  if (!guards_copies()) return nullptr;
  std::shared_ptr<const Mapping> mapping;
  {
    const std::scoped_lock lock(mutex_);
    const auto known = kept_.find(path);
    if (known == kept_.end()) {
      if (kept_.size() < kMostFiles) kept_.emplace(path, nullptr);
      return nullptr;
    }
    mapping = known->second;
  }
  struct stat status;
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || !status.st_size) return nullptr;
  return mapping && mapping->is_of(status) ? mapping : keep(path, status);
}

std::shared_ptr<const Mapping> MappedFiles::keep(const std::string& path, const struct stat& status) {
  const std::scoped_lock lock(mutex_);
  std::shared_ptr<const Mapping>& kept = kept_[path];
  if (kept && kept->is_of(status)) return kept;  // another thread came first
  if (kept) bytes_ -= kept->size();
  const bool fits = status.st_size <= kMostBytes - bytes_;
  kept = fits ? Mapping::of(path, status) : nullptr;
  if (kept) bytes_ += kept->size();
  return kept;
}

}  // namespace penstock
