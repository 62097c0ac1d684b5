#include "codecs/tf_example.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace penstock {
namespace {

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

FeatureList list_of(Bytes feature) {
  FeatureList list;
  for (Message rest(feature); !rest.ended();) {
    const Field field = rest.field();
    if (field.wire != Wire::bytes || field.number > 3) {
      rest.skip(field.wire);
      continue;
    }
    if (list.kind != ListKind::none) throw std::runtime_error("a feature has more than one list");
    list = {static_cast<ListKind>(field.number), rest.submessage()};
  }
  return list;
}

/// Numbers stand one to a field or, packed, many in one.
template <typename One, typename Packed>
void each_number(Bytes message, Wire wire, One one, Packed packed) {
  for (Message rest(message); !rest.ended();) {
    const Field field = rest.field();
    if (field.number == 1 && field.wire == wire)
      one(rest);
    else if (field.number == 1 && field.wire == Wire::bytes)
      packed(rest.submessage());
    else
      rest.skip(field.wire);
  }
}

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

const char* name_of(ListKind kind) {
  constexpr const char* names[] = {"nothing", "string", "float32", "int64"};
  return names[static_cast<int>(kind)];
}

FeatureNames::FeatureNames(std::vector<std::string> names) : names_(std::move(names)) {
  for (size_t i = 0; i < names_.size(); ++i) places_.emplace(names_[i], i);
}

void FeatureNames::find(Bytes example, std::span<FeatureList> found) const {
  std::fill(found.begin(), found.end(), FeatureList{});
  each_submessage(example, 1, [&](Bytes features) {
    each_submessage(features, 1, [&](Bytes entry) { find_in_entry(entry, found); });
  });
}

// Of entries with the same name the last one counts, as in all protobuf maps.
void FeatureNames::find_in_entry(Bytes entry, std::span<FeatureList> found) const {
  Bytes key, value;
  for (Message rest(entry); !rest.ended();) {
    const Field field = rest.field();
    if (field.wire == Wire::bytes && field.number <= 2)
      (field.number == 1 ? key : value) = rest.submessage();
    else
      rest.skip(field.wire);
  }
  const auto place = places_.find({reinterpret_cast<const char*>(key.data()), key.size()});
  if (place != places_.end()) found[place->second] = list_of(value);
}

int64_t count_values(const FeatureList& list) {
  int64_t count = 0;
  if (list.kind == ListKind::strings) {
    each_submessage(list.message, 1, [&](Bytes) { ++count; });
  } else if (list.kind == ListKind::ints) {
    each_number(
        list.message, Wire::varint, [&](Message& rest) { rest.varint(), ++count; },
        [&](Bytes packed) { count += count_packed_ints(packed); });
  } else if (list.kind == ListKind::floats) {
    each_number(
        list.message, Wire::fixed32, [&](Message& rest) { rest.bytes(sizeof(float)), ++count; },
        [&](Bytes packed) { count += count_packed_floats(packed); });
  }
  return count;
}

void read_ints(const FeatureList& list, std::span<int64_t> out) {
  auto next = out.begin();
  each_number(
      list.message, Wire::varint, [&](Message& rest) { *next++ = static_cast<int64_t>(rest.varint()); },
      [&](Bytes packed) {
        for (Message numbers(packed); !numbers.ended();) *next++ = static_cast<int64_t>(numbers.varint());
      });
}

void read_floats(const FeatureList& list, std::span<float> out) {
  auto next = out.begin();
  const auto take = [&](Bytes floats) {
    if (!floats.empty()) std::memcpy(&*next, floats.data(), floats.size());
    next += static_cast<int64_t>(floats.size() / sizeof(float));
  };
  each_number(
      list.message, Wire::fixed32, [&](Message& rest) { take(rest.bytes(sizeof(float))); }, take);
}

Bytes first_string(const FeatureList& list) {
  Bytes first;
  bool seen = false;
  each_submessage(list.message, 1, [&](Bytes text) {
    if (!seen) first = text;
    seen = true;
  });
  return first;
}

}  // namespace penstock
