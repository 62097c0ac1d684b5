#include "codecs/records/protobuf.h"

namespace penstock {
namespace {

int64_t count_packed_ints(Bytes packed) {
  if (!packed.empty() && static_cast<uint8_t>(packed.back()) >= 128)
    throw std::runtime_error("the protobuf message has a number without an end");
  return std::count_if(packed.begin(), packed.end(), [](std::byte byte) { return static_cast<uint8_t>(byte) < 128; });
}

int64_t count_packed_floats(Bytes packed) {
  if (packed.size() % sizeof(float) != 0)
    throw std::runtime_error("a list of floats has " + std::to_string(packed.size()) + " bytes");
  return static_cast<int64_t>(packed.size() / sizeof(float));
}

}  // namespace

int64_t count_ints(Bytes message, uint32_t number) {
  int64_t count = 0;
  each_number(
      message, number, Wire::varint, [&](Message& rest) { rest.varint(), ++count; },
      [&](Bytes packed) { count += count_packed_ints(packed); });
  return count;
}

int64_t count_floats(Bytes message, uint32_t number) {
  int64_t count = 0;
  each_number(
      message, number, Wire::fixed32, [&](Message& rest) { rest.bytes(sizeof(float)), ++count; },
      [&](Bytes packed) { count += count_packed_floats(packed); });
  return count;
}

void read_floats(Bytes message, uint32_t number, std::span<float> out) {
  auto next = out.begin();
  const auto take = [&](Bytes floats) {
    if (!floats.empty()) std::memcpy(&*next, floats.data(), floats.size());
    next += static_cast<int64_t>(floats.size() / sizeof(float));
  };
  each_number(
      message, number, Wire::fixed32, [&](Message& rest) { take(rest.bytes(sizeof(float))); }, take);
}

Strings find_strings(Bytes message, uint32_t number) {
  Strings found;
  each_submessage(message, number, [&](Bytes text) {
    if (found.count++ == 0) found.first = text;
  });
  return found;
}

}  // namespace penstock
