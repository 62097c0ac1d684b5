// Features out of the records of a TFRecord file, a batch at a time.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codecs/records/tf_example.h"
#include "datasets/files/files.h"
#include "memory/samples.h"
#include "runtime/pool.h"

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

/// The features to take out of every record.
struct Features {
  Features(std::vector<Feature> wanted, int64_t max_bytes);

  std::vector<Feature> list;
  int64_t max_bytes;  // that the numbers of a record may take
  FeatureNames names;
};

struct Examples {
  std::vector<Samples> features;
  std::vector<std::string> errors;  // by record; an empty text where all is well
};

/// Takes features out of the records of a batch; a record is framed as it is in the file.
class ExampleParser : public PieceParser {
 public:
  ExampleParser(std::shared_ptr<const Features> features, size_t records);

  size_t size() const override { return errors_.size(); }
  void take(size_t i, std::span<const std::byte> record) override;
  /// What was found, once all records were taken: `records` are what they were parts of.
  Examples finish(Pool& pool, const Samples& records);

 private:
  /// What a record has for a feature: numbers in `list`, or a `text`.
  struct Value {
    FeatureList list;
    Bytes text;
    Shape shape;
  };

  /// `taken` counts the bytes of the numbers of a record, which are `max_bytes` at most.
  Value measure(const Feature& feature, const FeatureList& list, int64_t& taken) const;
  Samples gather(Pool& pool, size_t feature, const Samples& records);
  void fill(size_t i, const Feature& feature, const Value& value, View out);

  std::shared_ptr<const Features> features_;
  std::vector<Value> values_;  // those of one feature follow one another
  std::vector<std::string> errors_;
};

}  // namespace penstock
