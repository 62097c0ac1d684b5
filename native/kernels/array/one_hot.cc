#include "kernels/array/one_hot.h"

#include <cstring>
#include <type_traits>

#include "kernels/bytes/interleave.h"
#include "kernels/elements/convert.h"

namespace penstock {
namespace {

// The whole part of a number if it is one of the classes, else -1; so for NaN.
template <typename T>
int64_t class_of(T value, int64_t classes) {
  const auto plain = number(value);
  if constexpr (std::is_floating_point_v<decltype(plain)>)
    return plain > -1 && plain < static_cast<double>(classes) ? static_cast<int64_t>(plain) : -1;
  else
    return plain >= 0 && static_cast<uint64_t>(plain) < static_cast<uint64_t>(classes) ? static_cast<int64_t>(plain)
                                                                                       : -1;
}

template <typename T>
void mark(View out, const T* in, int axis, const std::byte* on) {
  const int64_t outer = out.shape.volume(0, axis), classes = out.shape[axis];
  const int64_t inner = out.shape.volume(axis + 1, out.shape.ndim), item = item_bytes(out.dtype);
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i = 0; i < inner; ++i) {
      const int64_t found = class_of(in[o * inner + i], classes);
      if (found >= 0) std::memcpy(out.data + ((o * classes + found) * inner + i) * item, on, item);
    }
}

}  // namespace

void one_hot(View out, ConstView in, int axis, const std::byte* on, const std::byte* off) {
  repeat(out.data, out.bytes(), {off, static_cast<size_t>(item_bytes(out.dtype))}, false);
  visit(in.dtype, [&]<typename T>() { mark(out, in.as<T>(), axis, on); });
}

}  // namespace penstock
