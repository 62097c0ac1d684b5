#include "runtime/examples.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "codecs/tf_record.h"
#include "runtime/shared_bytes.h"

namespace penstock {
namespace {

std::vector<std::string> names_of(const std::vector<Feature>& features) {
  std::vector<std::string> names;
  for (const Feature& feature : features) names.push_back(feature.name);
  return names;
}

DType dtype_of(ListKind kind) {
  return kind == ListKind::strings ? DType::u8 : kind == ListKind::floats ? DType::f32 : DType::i64;
}

Bytes bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

void repeat(View out, const std::string& element) {
  for (int64_t at = 0; at < out.bytes(); at += static_cast<int64_t>(element.size()))
    std::memcpy(out.data + at, element.data(), element.size());
}

}  // namespace

/// What a record has for a feature: numbers in `list`, or a `text`.
struct ExampleParser::Value {
  FeatureList list;
  Bytes text;
  Shape shape;
};

ExampleParser::ExampleParser(std::vector<Feature> features)
    : features_(std::move(features)), names_(names_of(features_)) {}

ExampleParser::Value ExampleParser::measure(const Feature& feature, const FeatureList& list) const {
  const bool missing = list.kind == ListKind::none;
  const int64_t count = count_values(list);
  if (missing && feature.fixed && !feature.fallback) throw std::runtime_error("it is missing and has no default_value");
  if (count > 0 && list.kind != feature.kind)
    throw std::runtime_error(std::string("it holds ") + name_of(list.kind) + ", not " + name_of(feature.kind));
  Value value{count > 0 ? list : FeatureList{}, {}, feature.shape};
  if (feature.kind == ListKind::strings) {
    if (!missing && count == 0) throw std::runtime_error("it has no string");
    value.text = missing ? bytes_of(*feature.fallback) : first_string(list);
    value.shape = {1, {static_cast<int64_t>(value.text.size())}};
    return value;
  }
  const int64_t volume = feature.shape.volume();
  if (feature.fixed) {
    if (!missing && count != volume)
      throw std::runtime_error("it has " + std::to_string(count) + " values, its shape asks for " +
                               std::to_string(volume));
    return value;
  }
  if (count % volume != 0)
    throw std::runtime_error("its " + std::to_string(count) + " values do not make whole parts of " +
                             std::to_string(volume));
  value.shape.ndim = feature.shape.ndim + 1;
  value.shape[0] = count / volume;
  for (int axis = 0; axis < feature.shape.ndim; ++axis) value.shape[axis + 1] = feature.shape[axis];
  return value;
}

Examples ExampleParser::parse(Pool& pool, const Samples& records) const {
  const size_t n = records.size(), width = features_.size();
  std::vector<std::string> errors(n);
  std::vector<Value> values(n * width);  // those of one feature follow one another
  pool.for_each(n, [&](size_t i, Scratch&) {
    std::vector<FeatureList> found(width);
    size_t at = width;
    try {
      names_.find(tf_payload({records.data(i), static_cast<size_t>(records.shape(i).volume())}), found);
      for (at = 0; at < width; ++at) values[at * n + i] = measure(features_[at], found[at]);
    } catch (const std::exception& error) {
      errors[i] = at < width ? "feature '" + features_[at].name + "': " + error.what() : error.what();
    }
  });
  Examples made;
  if (std::all_of(errors.begin(), errors.end(), [](const std::string& error) { return error.empty(); }))
    for (size_t at = 0; at < width; ++at)
      made.features.push_back(
          gather(pool, features_[at], records, std::span<const Value>(values).subspan(at * n, n), errors));
  made.errors = std::move(errors);
  return made;
}

Samples ExampleParser::gather(Pool& pool, const Feature& feature, const Samples& records, std::span<const Value> values,
                              std::vector<std::string>& errors) const {
  if (feature.kind == ListKind::strings) {
    std::vector<Bytes> texts;
    for (const Value& value : values) texts.push_back(value.text);
    return shared_bytes(records, texts);
  }
  std::vector<Shape> shapes;
  for (const Value& value : values) shapes.push_back(value.shape);
  const int ndim = feature.shape.ndim + !feature.fixed;
  Samples made = Samples::empty(dtype_of(feature.kind), ndim, std::move(shapes));
  pool.for_each(values.size(), [&](size_t i, Scratch&) {
    const View out = made.view(i);
    const auto count = static_cast<size_t>(out.shape.volume());
    try {
      if (values[i].list.kind == ListKind::none && feature.fallback)
        repeat(out, *feature.fallback);
      else if (feature.kind == ListKind::ints)
        read_ints(values[i].list, {out.as<int64_t>(), count});
      else
        read_floats(values[i].list, {out.as<float>(), count});
    } catch (const std::exception& error) {
      errors[i] = "feature '" + feature.name + "': " + error.what();
    }
  });
  return made;
}

}  // namespace penstock
