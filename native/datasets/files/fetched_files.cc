#include "datasets/files/fetched_files.h"

#include <utility>

namespace penstock {
namespace {

// Processes may not have very many open.
constexpr size_t kMostOpen = 256;

}  // namespace

// Files are fetched for the batch after the one that is read next: those of two batches are needed.
void FetchedFiles::begin_batch() {
  const std::scoped_lock lock(mutex_);
  ++batch_;
  std::erase_if(kept_, [&](const auto& entry) { return entry.second.batch + 1 < batch_; });
}

void FetchedFiles::keep(const std::string& path, std::unique_ptr<FileBytes> file) {
  const std::scoped_lock lock(mutex_);
  if (kept_.size() < kMostOpen) kept_.try_emplace(path, Kept{std::move(file), batch_});
}

std::unique_ptr<FileBytes> FetchedFiles::take(const std::string& path) {
  const std::scoped_lock lock(mutex_);
  const auto found = kept_.find(path);
  if (found == kept_.end()) return nullptr;
  std::unique_ptr<FileBytes> file = std::move(found->second.file);
  kept_.erase(found);
  return file;
}

}  // namespace penstock
