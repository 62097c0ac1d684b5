// A typed, strided window on memory somebody else owns. Kernels take views and trust them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace penstock {

/// Element types in the order of `types.DALIDataType`, so that a code is the same number on both sides.
enum class DType : uint8_t { u8, u16, u32, u64, i8, i16, i32, i64, f16, f32, f64, boolean };

constexpr int64_t item_bytes(DType dtype) {
  constexpr int64_t bytes[] = {1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 1};
  return bytes[static_cast<int>(dtype)];
}

constexpr int kMaxDims = 8;

/// Shape of one sample. Extents beyond `ndim` are zero.
struct Shape {
  int ndim = 0;
  std::array<int64_t, kMaxDims> extent{};

  int64_t operator[](int axis) const { return extent[axis]; }
  int64_t& operator[](int axis) { return extent[axis]; }
  bool operator==(const Shape&) const = default;

  /// Number of elements in axes [from, to).
  int64_t volume(int from, int to) const {
    int64_t n = 1;
    for (int axis = from; axis < to; ++axis) n *= extent[axis];
    return n;
  }
  int64_t volume() const { return volume(0, ndim); }
};

/// A contiguous (row-major) array. `Byte` is std::byte or const std::byte.
template <typename Byte>
struct BasicView {
  Byte* data = nullptr;
  DType dtype = DType::u8;
  Shape shape;

  int64_t bytes() const { return shape.volume() * item_bytes(dtype); }
  template <typename T>
  auto* as() const {
    if constexpr (std::is_const_v<Byte>)
      return reinterpret_cast<const T*>(data);
    else
      return reinterpret_cast<T*>(data);
  }
};

using View = BasicView<std::byte>;
using ConstView = BasicView<const std::byte>;

}  // namespace penstock
