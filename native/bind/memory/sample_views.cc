#include "bind/memory/sample_views.h"

#include <algorithm>
#include <cstring>

namespace penstock {
namespace {

// Others may run during a copy of so many bytes.
constexpr int64_t kLongCopy = 16 << 10;

// What stays true of samples seen with other shapes, or of some of them.
void inherit(Samples& s, const Samples& from) {
  s.external = from.external;
  s.read_only = from.read_only;
  s.enumeration = from.enumeration;
  s.device = from.device;
}

}  // namespace

size_t checked(const Samples& s, int64_t i) {
  if (i < 0 || i >= static_cast<int64_t>(s.size()))
    throw nb::index_error(("sample " + std::to_string(i) + " of " + std::to_string(s.size())).c_str());
  return static_cast<size_t>(i);
}

// Members of an enumeration are kept as 32-bit integers.
DType storage(int code) {
  if (code < 0) throw nb::value_error("this element type has no storage");
  return code > static_cast<int>(DType::boolean) ? DType::i32 : static_cast<DType>(code);
}

int code(const Samples& s) { return s.enumeration.value_or(static_cast<int>(s.dtype())); }

Samples coded(Samples s, int code) {
  if (storage(code) != s.dtype()) throw nb::type_error("the samples are not kept as this element type is");
  s.enumeration = code > static_cast<int>(DType::boolean) ? std::optional(code) : std::nullopt;
  return s;
}

Samples select(const Samples& s, const std::vector<int64_t>& indices) {
  std::vector<Shape> picked;
  std::vector<std::byte*> data;
  auto sources = std::make_shared<std::vector<std::string>>();
  auto numbers = std::make_shared<std::vector<int64_t>>();
  bool consecutive = s.is_dense();
  for (size_t k = 0; k < indices.size(); ++k) {
    const size_t i = checked(s, indices[k]);
    consecutive = consecutive && (k == 0 || indices[k] == indices[k - 1] + 1);
    picked.push_back(s.shape(i));
    data.push_back(s.data(i));
    if (s.sources) sources->push_back((*s.sources)[i]);
    if (s.indices) numbers->push_back((*s.indices)[i]);
  }
  Samples result =
      consecutive && !data.empty() ? Samples::dense(s.dtype(), data.size(), s.shape(indices[0]), data[0], s.owner())
      : data.empty()               ? Samples::empty(s.dtype(), s.ndim(), {})
                     : Samples::scattered(s.dtype(), s.ndim(), std::move(picked), std::move(data), s.owner());
  result.layout = s.layout;
  inherit(result, s);
  if (s.sources) result.sources = sources;
  if (s.indices) result.indices = numbers;
  return result;
}

Samples relabelled(const Samples& s, const std::string& layout) {
  Samples result = s;
  result.layout = layout;
  return result;
}

Samples reshaped(const Samples& s, const std::vector<std::vector<int64_t>>& extents, const std::string& layout,
                 std::optional<int> as) {
  const DType dtype = as ? storage(*as) : s.dtype();
  std::vector<Shape> shapes;
  std::vector<std::byte*> data;
  bool equal = true, aligned = true;
  for (size_t i = 0; i < s.size(); ++i) {
    shapes.push_back(to_shape(extents[extents.size() == 1 ? 0 : i]));
    const int64_t before = s.const_view(i).bytes(), after = shapes[i].volume() * item_bytes(dtype);
    if (before != after)
      throw std::runtime_error("Input and output samples must occupy the same size in bytes: sample " +
                               std::to_string(i) + " has " + std::to_string(before) + ", its new shape " +
                               std::to_string(after));
    equal = equal && shapes[i] == shapes[0];
    data.push_back(s.data(i));
    aligned = aligned && reinterpret_cast<uintptr_t>(data[i]) % item_bytes(dtype) == 0;
  }
  const bool dense = s.is_dense() && equal && s.size() > 0;
  Samples result = dense ? Samples::dense(dtype, s.size(), shapes[0], s.data(0), s.owner())
                         : Samples::scattered(dtype, shapes.empty() ? 0 : shapes[0].ndim, shapes, data, s.owner());
  inherit(result, s);
  if (!aligned) {
    result = Samples::empty(dtype, shapes[0].ndim, shapes);
    for (size_t i = 0; i < s.size(); ++i) std::memcpy(result.data(i), s.data(i), s.const_view(i).bytes());
  }
  result.layout = layout;
  result.take_origin(s);
  return as ? coded(std::move(result), *as) : result;
}

Samples on_device(const Samples& s, int device) {
  Samples result = s;
  result.device = device;
  return result;
}

Samples copied(const Samples& s) {
  if (s.bytes() < kLongCopy) return s.copied();
  GilRelease release;
  return s.copied();
}

Samples part(const Samples& s, int64_t index) {
  std::vector<Shape> shapes;
  std::vector<std::byte*> data;
  for (size_t i = 0; i < s.size(); ++i) {
    const Shape& whole = s.shape(i);
    if (whole.ndim == 0 || index < 0 || index >= whole[0]) throw nb::index_error("no such part");
    Shape shape;
    shape.ndim = whole.ndim - 1;
    std::copy_n(whole.extent.begin() + 1, shape.ndim, shape.extent.begin());
    data.push_back(s.data(i) + index * shape.volume() * item_bytes(s.dtype()));
    shapes.push_back(shape);
  }
  Samples result = s.size() == 0   ? Samples::empty(s.dtype(), std::max(0, s.ndim() - 1), {})
                   : s.size() == 1 ? Samples::dense(s.dtype(), 1, shapes[0], data[0], s.owner())
                                   : Samples::scattered(s.dtype(), s.ndim() - 1, shapes, data, s.owner());
  inherit(result, s);
  result.take_origin(s);
  return result;
}

}  // namespace penstock
