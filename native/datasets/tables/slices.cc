#include "datasets/tables/slices.h"

#include <cstring>

namespace penstock {

Samples take_slices(Pool& pool, std::span<const ConstView> arrays, std::span<const Slice> slices, const Shape& row,
                    bool varying) {
  const DType dtype = arrays.empty() ? DType::u8 : arrays[0].dtype;
  const int64_t row_bytes = row.volume() * item_bytes(dtype);
  std::vector<Shape> shapes(slices.size(), row);
  if (varying) {
    for (size_t i = 0; i < slices.size(); ++i) {
      shapes[i] = {row.ndim + 1, {slices[i].count}};
      for (int axis = 0; axis < row.ndim; ++axis) shapes[i][axis + 1] = row[axis];
    }
  }
  Samples made = Samples::empty(dtype, row.ndim + varying, std::move(shapes));
  const auto copy = [&](size_t i) {
    const View out = made.view(i);
    if (out.bytes() > 0)
      std::memcpy(out.data, arrays[slices[i].array].data + slices[i].begin * row_bytes,
                  static_cast<size_t>(out.bytes()));
  };
  // Waking other threads takes longer than to copy some numbers.
  constexpr int64_t kWorthThreads = 1 << 18;
  if (made.bytes() < kWorthThreads)
    for (size_t i = 0; i < slices.size(); ++i) copy(i);
  else
    pool.for_each(slices.size(), [&](size_t i, Scratch&) { copy(i); });
  return made;
}

}  // namespace penstock
