#include "datasets/records/tf_examples.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "codecs/records/tf_record.h"
#include "memory/memory_limit.h"
#include "memory/shared_bytes.h"

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

Bytes text_bytes(const std::string& text) { return std::as_bytes(std::span(text)); }

// Waking other threads costs as much as reading that many numbers.
constexpr int64_t kWorthThreads = 1 << 16;

void repeat(View out, const std::string& element) {
  for (int64_t at = 0; at < out.bytes(); at += static_cast<int64_t>(element.size()))
    std::memcpy(out.data + at, element.data(), element.size());
}

}  // namespace

Features::Features(std::vector<Feature> wanted, int64_t max_bytes)
    : list(std::move(wanted)), max_bytes(max_bytes), names(names_of(list)) {}

ExampleParser::ExampleParser(std::shared_ptr<const Features> features, size_t records)
    : features_(std::move(features)), values_(records * features_->list.size()), errors_(records) {}

void ExampleParser::take(size_t i, std::span<const std::byte> record) {
  const size_t width = features_->list.size();
  std::vector<FeatureList> found(width);
  size_t at = width;
  try {
    features_->names.find(tf_payload(record), found);
    int64_t taken = 0;
    for (at = 0; at < width; ++at) values_[at * size() + i] = measure(features_->list[at], found[at], taken);
  } catch (const std::exception& error) {
    errors_[i] = at < width ? "feature '" + features_->list[at].name + "': " + error.what() : error.what();
  }
}

ExampleParser::Value ExampleParser::measure(const Feature& feature, const FeatureList& list, int64_t& taken) const {
  const bool missing = list.kind == ListKind::none;
  const int64_t count = count_values(list);
  if (missing && feature.fixed && !feature.fallback) throw std::runtime_error("it is missing and has no default_value");
  if (count > 0 && list.kind != feature.kind)
    throw std::runtime_error(std::string("it holds ") + name_of(list.kind) + ", not " + name_of(feature.kind));
  Value value{count > 0 ? list : FeatureList{}, {}, feature.shape};
  if (feature.kind == ListKind::strings) {
    if (!missing && count == 0) throw std::runtime_error("it has no string");
    value.text = missing ? text_bytes(*feature.fallback) : first_string(list);
    value.shape = {1, {static_cast<int64_t>(value.text.size())}};
    return value;
  }
  const int64_t volume = feature.shape.volume();
  const int64_t elements = feature.fixed ? volume : count;
  const int64_t item = item_bytes(dtype_of(feature.kind));
  require_memory(
      [&] {
        return "reading its " + std::to_string(elements) + " values" +
               (taken > 0 ? ", with those of features before it," : "");
      },
      static_cast<double>(taken) + static_cast<double>(elements) * static_cast<double>(item), features_->max_bytes);
  taken += elements * item;
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

Examples ExampleParser::finish(Pool& pool, const Samples& records) {
  Examples made;
  if (std::all_of(errors_.begin(), errors_.end(), [](const std::string& error) { return error.empty(); }))
    for (size_t at = 0; at < features_->list.size(); ++at) made.features.push_back(gather(pool, at, records));
  made.errors = std::move(errors_);
  return made;
}

Samples ExampleParser::gather(Pool& pool, size_t at, const Samples& records) {
  const Feature& feature = features_->list[at];
  const std::span<const Value> values = std::span<const Value>(values_).subspan(at * size(), size());
  if (feature.kind == ListKind::strings) {
    std::vector<Bytes> texts;
    for (const Value& value : values) texts.push_back(value.text);
    return shared_bytes(records, texts);
  }
  std::vector<Shape> shapes;
  for (const Value& value : values) shapes.push_back(value.shape);
  const int ndim = feature.shape.ndim + !feature.fixed;
  Samples made = Samples::empty(dtype_of(feature.kind), ndim, std::move(shapes));
  const auto fill_one = [&](size_t i, Scratch&) { fill(i, feature, values[i], made.view(i)); };
  if (made.bytes() >= kWorthThreads) {
    pool.for_each(values.size(), fill_one);
  } else {
    const ScratchUse scratch;
    for (size_t i = 0; i < values.size(); ++i) fill_one(i, scratch);
  }
  return made;
}

void ExampleParser::fill(size_t i, const Feature& feature, const Value& value, View out) {
  const auto count = static_cast<size_t>(out.shape.volume());
  try {
    if (value.list.kind == ListKind::none && feature.fallback)
      repeat(out, *feature.fallback);
    else if (feature.kind == ListKind::ints)
      read_ints(value.list, {out.as<int64_t>(), count});
    else
      read_floats(value.list, {out.as<float>(), count});
  } catch (const std::exception& error) {
    errors_[i] = "feature '" + feature.name + "': " + error.what();
  }
}

}  // namespace penstock
