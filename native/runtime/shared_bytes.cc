#include "runtime/shared_bytes.h"

#include <algorithm>
#include <cstring>

namespace penstock {
namespace {

bool within(std::span<const std::byte> part, ConstView whole) {
  return part.data() >= whole.data && part.data() + part.size() <= whole.data + whole.bytes();
}

}  // namespace

Samples shared_bytes(const Samples& whole, std::span<const std::span<const std::byte>> parts) {
  int64_t bytes = 0;
  bool inside = true;
  std::vector<Shape> shapes;
  std::vector<std::byte*> data;
  for (size_t i = 0; i < parts.size(); ++i) {
    bytes += static_cast<int64_t>(parts[i].size());
    inside = inside && within(parts[i], whole.const_view(i));
    shapes.push_back({1, {static_cast<int64_t>(parts[i].size())}});
    data.push_back(const_cast<std::byte*>(parts[i].data()));
  }
  if (inside && 2 * bytes >= whole.bytes())
    return Samples::scattered(DType::u8, 1, std::move(shapes), std::move(data), whole.owner());
  Samples copy = Samples::empty(DType::u8, 1, std::move(shapes));
  for (size_t i = 0; i < parts.size(); ++i)
    if (!parts[i].empty()) std::memcpy(copy.data(i), parts[i].data(), parts[i].size());
  return copy;
}

}  // namespace penstock
