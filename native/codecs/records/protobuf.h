// The protobuf wire format: messages of numbered fields, gone through without ever looking past their end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>

#include "codecs/byte_source.h"

namespace penstock {

enum class Wire : uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

struct Field {
  uint32_t number;
  Wire wire;
};

/// Goes through the fields of a protobuf message, never past its end.
class Message {
 public:
  explicit Message(Bytes bytes) : left_(bytes) {}

  bool ended() const { return left_.empty(); }

  uint64_t varint() {
    uint64_t value = 0;
    for (size_t i = 0; i < std::min<size_t>(left_.size(), 10); ++i) {
      const auto byte = static_cast<uint64_t>(left_[i]);
      value |= (byte & 127) << 7 * i;
      if (byte < 128) {
        left_ = left_.subspan(i + 1);
        return value;
      }
    }
    throw std::runtime_error("the protobuf message has a number without an end");
  }

  Field field() {
    const uint64_t tag = varint();
    const auto wire = static_cast<Wire>(tag & 7);
    if (tag >> 3 == 0 || tag >> 32 != 0) throw std::runtime_error("the protobuf message has a field without a number");
    return {static_cast<uint32_t>(tag >> 3), wire};
  }

  Bytes bytes(uint64_t count) {
    if (count > left_.size())
      throw std::runtime_error("the protobuf message has a field of " + std::to_string(count) + " bytes where " +
                               std::to_string(left_.size()) + " are left");
    const Bytes taken = left_.first(count);
    left_ = left_.subspan(count);
    return taken;
  }

  Bytes submessage() { return bytes(varint()); }

  void skip(Wire wire) {
    if (wire == Wire::varint) {
      varint();
    } else if (wire == Wire::bytes) {
      submessage();
    } else if (wire == Wire::fixed32 || wire == Wire::fixed64) {
      bytes(wire == Wire::fixed32 ? 4 : 8);
    } else {
      throw std::runtime_error("the protobuf message has a field of the unknown wire type " +
                               std::to_string(static_cast<int>(wire)));
    }
  }

 private:
  Bytes left_;
};

/// Calls `visit` with the contents of every field of this number and wire type.
template <typename Visit>
void each(Bytes message, uint32_t number, Wire wire, Visit visit) {
  for (Message rest(message); !rest.ended();) {
    const Field field = rest.field();
    if (field.number == number && field.wire == wire)
      visit(rest);
    else
      rest.skip(field.wire);
  }
}

template <typename Visit>
void each_submessage(Bytes message, uint32_t number, Visit visit) {
  each(message, number, Wire::bytes, [&](Message& rest) { visit(rest.submessage()); });
}

/// Goes through a repeated field of numbers, which stand one to a field or, packed, many in one.
template <typename One, typename Packed>
void each_number(Bytes message, uint32_t number, Wire wire, One one, Packed packed) {
  for (Message rest(message); !rest.ended();) {
    const Field field = rest.field();
    if (field.number == number && field.wire == wire)
      one(rest);
    else if (field.number == number && field.wire == Wire::bytes)
      packed(rest.submessage());
    else
      rest.skip(field.wire);
  }
}

/// How many numbers a repeated field has. Throws where they are none of this kind.
int64_t count_ints(Bytes message, uint32_t number);
int64_t count_floats(Bytes message, uint32_t number);

/// The numbers of a repeated field that has `out.size()` of them; those too large for T are cut off, as everywhere.
template <typename T>
void read_ints(Bytes message, uint32_t number, std::span<T> out) {
  auto next = out.begin();
  each_number(
      message, number, Wire::varint, [&](Message& rest) { *next++ = static_cast<T>(rest.varint()); },
      [&](Bytes packed) {
        for (Message numbers(packed); !numbers.ended();) *next++ = static_cast<T>(numbers.varint());
      });
}
void read_floats(Bytes message, uint32_t number, std::span<float> out);

/// The first of the strings of a repeated field, and how many there are.
struct Strings {
  Bytes first;
  int64_t count = 0;
};
Strings find_strings(Bytes message, uint32_t number);

}  // namespace penstock
