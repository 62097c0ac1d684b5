// A number in a file, wherever it is aligned; little-endian, as the machines that this runs on.
#pragma once

#include <cstddef>
#include <cstring>

namespace penstock {

template <typename T>
T stored_number(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

}  // namespace penstock
