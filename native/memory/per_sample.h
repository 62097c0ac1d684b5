// Arguments of an operation on a batch: one value, row or list for all samples, or one for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace penstock {

/// One value for all samples, or one for each.
template <typename T>
class PerSample {
 public:
  PerSample() = default;
  PerSample(T value) : values_{value} {}
  PerSample(std::vector<T> values) : values_(std::move(values)) {}

  T operator[](size_t sample) const { return values_.size() == 1 ? values_[0] : values_[sample]; }
  size_t size() const { return values_.size(); }

 private:
  std::vector<T> values_;
};

/// Rows of values: one for all samples, or one for each.
template <typename T>
class PerSampleRows {
 public:
  PerSampleRows() = default;
  PerSampleRows(std::vector<T> values, size_t width) : values_(std::move(values)), width_(width) {}

  const T* operator[](size_t sample) const { return values_.data() + (values_.size() == width_ ? 0 : sample * width_); }
  size_t width() const { return width_; }
  size_t count() const { return width_ ? values_.size() / width_ : 0; }

 private:
  std::vector<T> values_;
  size_t width_ = 0;
};

/// Lists of values of any length: one for all samples, or one for each.
template <typename T>
class PerSampleLists {
 public:
  PerSampleLists() = default;
  /// `values` one list after the other, `counts` how many each has.
  PerSampleLists(std::vector<T> values, const std::vector<int64_t>& counts) : values_(std::move(values)), ends_{0} {
    for (const int64_t count : counts) ends_.push_back(ends_.back() + count);
  }

  std::span<const T> operator[](size_t sample) const {
    const size_t i = ends_.size() == 2 ? 0 : sample;
    return {values_.data() + ends_[i], static_cast<size_t>(ends_[i + 1] - ends_[i])};
  }
  /// Whether there are lists at all.
  bool given() const { return !ends_.empty(); }

 private:
  std::vector<T> values_;
  std::vector<int64_t> ends_;
};

}  // namespace penstock
