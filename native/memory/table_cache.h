// A small cache of tables that depend on the length of samples, shared by the threads of a batch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace penstock {

/// The last few values made, by length.
template <typename Value>
class TableCache {
 public:
  template <typename Make>
  std::shared_ptr<const Value> get(int64_t length, Make&& make) {
    std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(values_.begin(), values_.end(), [&](const auto& each) { return each.first == length; });
    if (found != values_.end()) return found->second;
    if (values_.size() == kMost) values_.erase(values_.begin());
    return values_.emplace_back(length, std::make_shared<const Value>(make())).second;
  }

 private:
  static constexpr size_t kMost = 32;
  std::mutex mutex_;
  std::vector<std::pair<int64_t, std::shared_ptr<const Value>>> values_;
};

}  // namespace penstock
