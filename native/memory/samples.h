// The storage of a batch: samples of one dtype and rank, in one block where their shapes agree.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "memory/view.h"

namespace penstock {

/// Throws std::bad_alloc where n arrays of this shape have more bytes than there are addresses: their number might
/// overflow, and so little memory would be taken for them that it is written beyond.
void require_addressable(const Shape& shape, DType dtype, size_t n = 1);

class Samples {
 public:
  static constexpr int kHost = -1;

  /// n samples of one shape, one after the other from `base`.
  static Samples dense(DType dtype, size_t n, Shape shape, std::byte* base, std::shared_ptr<void> owner);
  /// Samples wherever they are.
  static Samples scattered(DType dtype, int ndim, std::vector<Shape> shapes, std::vector<std::byte*> data,
                           std::shared_ptr<void> owner);
  /// Pooled memory for n samples; dense when all shapes are equal.
  static Samples empty(DType dtype, int ndim, std::vector<Shape> shapes);
  static Samples empty(DType dtype, size_t n, Shape shape);

  /// Samples of an accelerator: all that is known of them but where they lie. Asking for that throws, so that no kernel
  /// of the CPU's reads what it cannot.
  static Samples elsewhere(DType dtype, int ndim, std::vector<Shape> shapes, int device);

  size_t size() const { return n_; }
  DType dtype() const { return dtype_; }
  int ndim() const { return ndim_; }
  /// One block, samples of one shape back to back.
  bool is_dense() const { return shapes_.empty(); }
  bool is_uniform() const;
  const Shape& shape(size_t i) const { return is_dense() ? shape_ : shapes_[i]; }
  std::byte* data(size_t i) const {
    if (elsewhere_) throw_elsewhere();
    return is_dense() ? base_ + i * stride_ : data_[i];
  }
  View view(size_t i) const { return {data(i), dtype_, shape(i)}; }
  ConstView const_view(size_t i) const { return {data(i), dtype_, shape(i)}; }
  int64_t bytes() const;
  bool is_elsewhere() const { return elsewhere_; }
  /// The same samples in pooled memory of their own.
  Samples copied() const;
  /// Dense samples of fewer than kMaxDims axes as a single one, with an axis for the samples before theirs.
  Samples joined() const;
  /// The parts of a single sample along its first axis as samples of their own.
  Samples parted() const;
  const std::shared_ptr<void>& owner() const { return owner_; }
  /// These samples were made of those: what is not known of their origin is theirs.
  void take_origin(const Samples& from) {
    if (!sources) sources = from.sources;
    if (!indices) indices = from.indices;
  }

  std::string layout;
  /// Where each sample came from (a path), and its number in the data set; none when unknown.
  std::shared_ptr<const std::vector<std::string>> sources;
  std::shared_ptr<const std::vector<int64_t>> indices;
  /// Wraps memory the user may still write to.
  bool external = false;
  /// Wraps memory nobody may write to.
  bool read_only = false;
  /// The number of the accelerator that they are on; kHost where they are the CPU's.
  int device = kHost;
  /// Code in `types.DALIDataType` of the enumeration the elements are members of; none for plain numbers.
  std::optional<int> enumeration;

 private:
  [[noreturn]] static void throw_elsewhere();

  DType dtype_ = DType::u8;
  int ndim_ = 0;
  size_t n_ = 0;
  Shape shape_;
  std::byte* base_ = nullptr;
  int64_t stride_ = 0;
  std::vector<Shape> shapes_;
  std::vector<std::byte*> data_;
  std::shared_ptr<void> owner_;
  bool elsewhere_ = false;
};

}  // namespace penstock
