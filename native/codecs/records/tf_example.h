// tf.train.Example, the protobuf message in most TFRecord files: named lists of strings, floats or integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codecs/records/protobuf.h"

namespace penstock {

/// What a feature is a list of; numbered like the fields of the message `Feature`.
enum class ListKind : uint8_t { none, strings, floats, ints };

const char* name_of(ListKind kind);

/// A list as it stands in the message, not yet looked into.
struct FeatureList {
  ListKind kind = ListKind::none;
  Bytes message;
};

/// The features somebody wants, by name.
class FeatureNames {
 public:
  explicit FeatureNames(std::vector<std::string> names);

  /// Finds these features in an example; one that is not there stays of kind `none`. Throws for what is no example.
  void find(Bytes example, std::span<FeatureList> found) const;

 private:
  void find_in_entry(Bytes entry, std::span<FeatureList> found) const;

  std::vector<std::string> names_;
  std::unordered_map<std::string_view, size_t> places_;
};

/// How many values a list has. Throws where it is not one of its kind.
int64_t count_values(const FeatureList& list);

/// The values of a list of `out.size()` numbers.
void read_ints(const FeatureList& list, std::span<int64_t> out);
void read_floats(const FeatureList& list, std::span<float> out);

/// The first string of a list that has one.
Bytes first_string(const FeatureList& list);

}  // namespace penstock
