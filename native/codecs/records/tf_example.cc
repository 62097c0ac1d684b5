#include "codecs/records/tf_example.h"

#include <algorithm>
#include <stdexcept>

namespace penstock {
namespace {

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
  if (list.kind == ListKind::strings) return find_strings(list.message, 1).count;
  if (list.kind == ListKind::ints) return count_ints(list.message, 1);
  if (list.kind == ListKind::floats) return count_floats(list.message, 1);
  return 0;
}

void read_ints(const FeatureList& list, std::span<int64_t> out) { read_ints(list.message, 1, out); }

void read_floats(const FeatureList& list, std::span<float> out) { read_floats(list.message, 1, out); }

Bytes first_string(const FeatureList& list) { return find_strings(list.message, 1).first; }

}  // namespace penstock
