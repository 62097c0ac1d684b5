#include "memory/samples.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "memory/arena.h"

namespace penstock {

// No machine addresses more, and numbers that follow from fewer bytes do not overflow.
constexpr size_t kMostBytes = size_t{1} << 48;

void require_addressable(const Shape& shape, DType dtype, size_t n) {
  auto bytes = static_cast<double>(item_bytes(dtype)) * static_cast<double>(std::max<size_t>(n, 1));
  // An extent of 0 leaves the others to be multiplied, too, as steps do with parts of a shape.
  for (int axis = 0; axis < shape.ndim; ++axis)
    if (shape[axis] != 0) bytes *= static_cast<double>(shape[axis]);
  if (bytes > static_cast<double>(kMostBytes)) throw std::bad_alloc();
}

Samples Samples::dense(DType dtype, size_t n, Shape shape, std::byte* base, std::shared_ptr<void> owner) {
  Samples s;
  s.dtype_ = dtype;
  s.ndim_ = shape.ndim;
  s.n_ = n;
  s.shape_ = shape;
  s.base_ = base;
  s.stride_ = shape.volume() * item_bytes(dtype);
  s.owner_ = std::move(owner);
  return s;
}

Samples Samples::scattered(DType dtype, int ndim, std::vector<Shape> shapes, std::vector<std::byte*> data,
                           std::shared_ptr<void> owner) {
  Samples s;
  s.dtype_ = dtype;
  s.ndim_ = ndim;
  s.n_ = shapes.size();
  s.shape_.ndim = ndim;
  s.shapes_ = std::move(shapes);
  s.data_ = std::move(data);
  s.owner_ = std::move(owner);
  return s;
}

Samples Samples::empty(DType dtype, size_t n, Shape shape) {
  require_addressable(shape, dtype, n);
  std::shared_ptr<std::byte> block = allocate(n * shape.volume() * item_bytes(dtype));
  std::byte* base = block.get();
  return dense(dtype, n, shape, base, std::move(block));
}

Samples Samples::empty(DType dtype, int ndim, std::vector<Shape> shapes) {
  if (shapes.empty()) {
    Shape none;
    none.ndim = ndim;
    return empty(dtype, size_t{0}, none);
  }
  if (std::all_of(shapes.begin(), shapes.end(), [&](const Shape& s) { return s == shapes[0]; }))
    return empty(dtype, shapes.size(), shapes[0]);
  size_t total = 0;
  std::vector<size_t> offsets;
  for (const Shape& shape : shapes) {
    require_addressable(shape, dtype);
    if (total > kMostBytes) throw std::bad_alloc();
    offsets.push_back(total);
    total += (shape.volume() * item_bytes(dtype) + 63) / 64 * 64;
  }
  std::shared_ptr<std::byte> block = allocate(total);
  std::vector<std::byte*> data;
  for (size_t offset : offsets) data.push_back(block.get() + offset);
  return scattered(dtype, ndim, std::move(shapes), std::move(data), std::move(block));
}

Samples Samples::elsewhere(DType dtype, int ndim, std::vector<Shape> shapes, int device) {
  Shape none;
  none.ndim = ndim;
  const bool equal = std::all_of(shapes.begin(), shapes.end(), [&](const Shape& s) { return s == shapes[0]; });
  const size_t n = shapes.size();
  Samples s = equal ? dense(dtype, n, n ? shapes[0] : none, nullptr, nullptr)
                    : scattered(dtype, ndim, std::move(shapes), {}, nullptr);
  s.device = device;
  s.elsewhere_ = true;
  return s;
}

void Samples::throw_elsewhere() {
  throw std::runtime_error("the samples are in the memory of an accelerator; move them with .cpu()");
}

bool Samples::is_uniform() const {
  return is_dense() || std::all_of(shapes_.begin(), shapes_.end(), [&](const Shape& s) { return s == shapes_[0]; });
}

int64_t Samples::bytes() const {
  if (is_dense()) return static_cast<int64_t>(n_) * stride_;
  int64_t total = 0;
  for (const Shape& shape : shapes_) total += shape.volume() * item_bytes(dtype_);
  return total;
}

Samples Samples::copied() const {
  if (elsewhere_) throw_elsewhere();
  Samples copy = is_dense() ? empty(dtype_, n_, shape_) : empty(dtype_, ndim_, shapes_);
  if (is_dense()) {
    if (bytes()) std::memcpy(copy.base_, base_, bytes());
  } else {
    for (size_t i = 0; i < n_; ++i)
      if (const int64_t bytes = view(i).bytes()) std::memcpy(copy.data(i), data(i), bytes);
  }
  copy.layout = layout;
  copy.enumeration = enumeration;
  copy.device = device;
  copy.take_origin(*this);
  return copy;
}

Samples Samples::joined() const {
  Shape shape{ndim_ + 1, {static_cast<int64_t>(n_)}};
  std::copy_n(shape_.extent.begin(), ndim_, shape.extent.begin() + 1);
  return dense(dtype_, 1, shape, data(0), owner_);
}

Samples Samples::parted() const {
  const Shape& whole = shape(0);
  Shape part{ndim_ - 1, {}};
  std::copy_n(whole.extent.begin() + 1, part.ndim, part.extent.begin());
  return dense(dtype_, static_cast<size_t>(whole[0]), part, data(0), owner_);
}

}  // namespace penstock
