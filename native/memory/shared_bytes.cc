#include "memory/shared_bytes.h"

#include <algorithm>
#include <cstring>

namespace penstock {
namespace {

bool within(std::span<const std::byte> part, ConstView whole) {
  return part.data() >= whole.data && part.data() + part.size() <= whole.data + whole.bytes();
}

}  // namespace

Samples shared_bytes(const Samples& whole, std::span<const std::span<const std::byte>> parts) {
  std::vector<Shape> shapes;
  for (const auto& part : parts) shapes.push_back({1, {static_cast<int64_t>(part.size())}});
  return shared_bytes(whole, parts, std::move(shapes));
}

Samples shared_bytes(const Samples& whole, std::span<const std::span<const std::byte>> parts,
                     std::vector<Shape> shapes) {
  int64_t bytes = 0;
  bool inside = true;
  std::vector<std::byte*> data;
  for (size_t i = 0; i < parts.size(); ++i) {
    bytes += static_cast<int64_t>(parts[i].size());
    inside = inside && within(parts[i], whole.const_view(i));
    data.push_back(const_cast<std::byte*>(parts[i].data()));
  }
  const int ndim = shapes.empty() ? 1 : shapes[0].ndim;
  if (inside && 2 * bytes >= whole.bytes())
    return Samples::scattered(DType::u8, ndim, std::move(shapes), std::move(data), whole.owner());
  Samples copy = Samples::empty(DType::u8, ndim, std::move(shapes));
  for (size_t i = 0; i < parts.size(); ++i)
    if (!parts[i].empty()) std::memcpy(copy.data(i), parts[i].data(), parts[i].size());
  return copy;
}

}  // namespace penstock
