// Features out of the records of a TFRecord file, a batch at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codecs/tf_example.h"
#include "runtime/pool.h"
#include "runtime/samples.h"

namespace penstock {

struct Feature {
  std::string name;
  ListKind kind = ListKind::none;
  /// Of a value where `fixed`, of a part of it otherwise: as many parts follow one another as there are.
  Shape shape;
  bool fixed = true;
  /// The bytes of the element, or of the string, that stands in where a record has no such feature.
  std::optional<std::string> fallback;
};

struct Examples {
  std::vector<Samples> features;
  std::vector<std::string> errors;  // by record; an empty text where all is well
};

class ExampleParser {
 public:
  explicit ExampleParser(std::vector<Feature> features);

  /// The features of every record; a record is framed as it is in the file.
  Examples parse(Pool& pool, const Samples& records) const;

 private:
  struct Value;

  Value measure(const Feature& feature, const FeatureList& list) const;
  Samples gather(Pool& pool, const Feature& feature, const Samples& records, std::span<const Value> values,
                 std::vector<std::string>& errors) const;

  std::vector<Feature> features_;
  FeatureNames names_;
};

}  // namespace penstock
