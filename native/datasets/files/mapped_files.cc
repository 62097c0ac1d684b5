#include "datasets/files/mapped_files.h"

#include <utility>

#include "datasets/files/files.h"
#include "kernels/bytes/stream.h"
#include "os/guarded_copy.h"

namespace penstock {
namespace {

// A process may have some 65,000 mappings; pages of files count as its memory, though they can be taken from it.
constexpr size_t kMostFiles = 4096;
constexpr int64_t kMostBytes = 1 << 30;

// Of a batch of samples as large as this, little would stay in the caches.
constexpr int64_t kStreamedFromBytes = 256 << 10;

void copy_streamed(std::byte* out, const std::byte* in, int64_t bytes) {
  copying(bytes >= kStreamedFromBytes)(out, in, bytes);
  finish_streams();
}

class MappedBytes : public ReadBytes {
 public:
  MappedBytes(std::shared_ptr<const FileMapping> mapping, const std::string& path)
      : mapping_(std::move(mapping)), path_(path) {}

  int64_t size() const override { return mapping_->size(); }

  bool is_read_ahead() const override { return true; }

  bool try_read(std::byte* out, int64_t offset, int64_t n) override {
    if (offset <= size() - n && mapping_->fetch_missing(offset, n)) return false;
    read(out, offset, n);
    return true;
  }

  void read(std::byte* out, int64_t offset, int64_t n) override {
    const bool is_inside = offset <= size() - n;  // the file may have had more when it was measured
    if (!is_inside || !guarded_copy(copy_streamed, out, mapping_->data() + offset, n))
      FileBytes(path_).read(out, offset, n);  // or says why not
  }

 private:
  std::shared_ptr<const FileMapping> mapping_;
  std::string path_;
};

}  // namespace

std::unique_ptr<ByteSource> MappedFiles::open(const std::string& path, bool again) {
  if (auto mapping = mapping_of(path, again)) return std::make_unique<MappedBytes>(std::move(mapping), path);
  return std::make_unique<FileBytes>(path);
}

std::unique_ptr<ByteSource> open_file(MappedFiles* mapped, const std::string& path, bool again) {
  return mapped ? mapped->open(path, again) : std::make_unique<FileBytes>(path);
}

std::shared_ptr<const FileMapping> MappedFiles::mapping_of(const std::string& path, bool again) {
  if (!guards_copies()) return nullptr;
  std::shared_ptr<const FileMapping> mapping;
  {
    const std::scoped_lock lock(mutex_);
    const auto known = kept_.find(path);
    if (known == kept_.end()) {
      if (kept_.size() < kMostFiles) kept_.emplace(path, nullptr);
      return nullptr;
    }
    mapping = known->second;
    if (again && !mapping) return nullptr;
  }
  FileStatus status;
  if (file_status(path, status) != 0 || status.kind != FileStatus::Kind::file || !status.bytes) return nullptr;
  return mapping && mapping->is_of(status) ? mapping : keep(path, status);
}

std::shared_ptr<const FileMapping> MappedFiles::keep(const std::string& path, const FileStatus& status) {
  const std::scoped_lock lock(mutex_);
  std::shared_ptr<const FileMapping>& kept = kept_[path];
  if (kept && kept->is_of(status)) return kept;  // another thread came first
  if (kept) bytes_ -= kept->size();
  const bool fits = status.bytes <= kMostBytes - bytes_;
  kept = fits ? FileMapping::of(path, status) : nullptr;
  if (kept) bytes_ += kept->size();
  return kept;
}

}  // namespace penstock
