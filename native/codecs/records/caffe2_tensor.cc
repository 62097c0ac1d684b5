#include "codecs/records/caffe2_tensor.h"

#include <cstring>

#include "codecs/records/caffe_datum.h"

namespace penstock {
namespace {

enum : uint32_t { kDims = 1, kType, kFloats, kInts, kBytes, kStrings, kLongs = 10 };
enum : int64_t { kFloat = 1, kInt32, kByte, kString, kInt64 = 10 };

std::string type_name(int64_t type) {
  constexpr const char* names[] = {"UNDEFINED", "FLOAT",  "INT32", "BYTE",  "STRING", "BOOL",    "UINT8",
                                   "INT8",      "UINT16", "INT16", "INT64", "11",     "FLOAT16", "DOUBLE"};
  return type >= 0 && type < 14 ? names[type] : std::to_string(type);
}

int64_t count_numbers(const Caffe2Tensor& tensor) {
  if (tensor.type == kFloat) return count_floats(tensor.message, kFloats);
  return count_ints(tensor.message, tensor.type == kInt32 ? kInts : kLongs);
}

void require_type(const Caffe2Tensor& tensor, const char* what, int64_t type) {
  if (tensor.type != type)
    throw std::runtime_error(std::string("the ") + what + " is of type " + type_name(tensor.type) + ", not " +
                             type_name(type));
}

}  // namespace

std::vector<Caffe2Tensor> find_tensors(Bytes message, size_t wanted) {
  std::vector<Caffe2Tensor> found;
  size_t count = 0;
  each_submessage(message, 1, [&](Bytes tensor) {
    if (count++ >= wanted) return;
    found.push_back({tensor});
    each(tensor, kType, Wire::varint, [&](Message& rest) { found.back().type = static_cast<int32_t>(rest.varint()); });
  });
  if (count < wanted)
    throw std::runtime_error("the message has " + std::to_string(count) + " tensors, not " + std::to_string(wanted));
  return found;
}

Caffe2Value Caffe2Value::of_image(const Caffe2Tensor& tensor) {
  if (tensor.type == kString) {
    const Strings texts = find_strings(tensor.message, kStrings);
    if (texts.count == 0) throw std::runtime_error("the image has no string");
    Caffe2Value made(DType::u8, {1, {static_cast<int64_t>(texts.first.size())}});
    made.image_ = texts.first;
    return made;
  }
  if (tensor.type != kByte)
    throw std::runtime_error("the image is of type " + type_name(tensor.type) +
                             ", not STRING (a file) or BYTE (pixels)");
  Bytes pixels;
  each_submessage(tensor.message, kBytes, [&](Bytes bytes) { pixels = bytes; });
  const int64_t ndim = count_ints(tensor.message, kDims);
  std::array<int64_t, 3> extents = {0, 0, 1};
  if (ndim != 2 && ndim != 3) throw std::runtime_error("the image has " + std::to_string(ndim) + " dims, not 2 or 3");
  read_ints(tensor.message, kDims, std::span(extents).first(static_cast<size_t>(ndim)));
  Caffe2Value made(DType::u8, pixels_shape(extents, static_cast<int64_t>(pixels.size())));
  made.image_ = pixels;
  return made;
}

Caffe2Value Caffe2Value::of_numbers(const Caffe2Tensor& tensor, const char* what, std::optional<int64_t> count) {
  if (tensor.type != kFloat && tensor.type != kInt32 && tensor.type != kInt64)
    throw std::runtime_error(std::string("the ") + what + " is of type " + type_name(tensor.type) +
                             ", not FLOAT, INT32 or INT64");
  const int64_t numbers = count_numbers(tensor);
  if (count && numbers != *count)
    throw std::runtime_error(std::string("the ") + what + " has " + std::to_string(numbers) + " numbers, not " +
                             std::to_string(*count));
  const DType dtype = tensor.type == kFloat ? DType::f32 : tensor.type == kInt32 ? DType::i32 : DType::i64;
  Caffe2Value made(dtype, {1, {numbers}});
  made.numbers_ = tensor.message;
  return made;
}

Caffe2Value Caffe2Value::find(Caffe2Part part, const std::vector<Caffe2Tensor>& tensors, size_t& at,
                              int64_t num_labels) {
  const Caffe2Tensor& tensor = tensors[at++];
  if (part == Caffe2Part::image) return of_image(tensor);
  if (part == Caffe2Part::numbers) return of_numbers(tensor, "additional input", {});
  if (part == Caffe2Part::label || part == Caffe2Part::dense_label) {
    if (tensor.type == kInt64) require_type(tensor, "label", kInt32);
    return of_numbers(tensor, "label", part == Caffe2Part::label ? std::optional<int64_t>(1) : std::nullopt);
  }
  if (part == Caffe2Part::box) {
    require_type(tensor, "bounding box", kInt32);
    return of_numbers(tensor, "bounding box", 4);
  }
  require_type(tensor, "label", kInt32);
  Caffe2Value made = of_numbers(tensor, "label", {});
  if (part == Caffe2Part::weighted_label) {
    const Caffe2Tensor& weights = tensors[at++];
    require_type(weights, "weight of the labels", kFloat);
    made.weights_ = of_numbers(weights, "weight of the labels", made.shape_[0]).numbers_;
    made.dtype_ = DType::f32;
  }
  made.one_per_class_ = true;
  made.labels(num_labels);
  made.shape_ = {1, {num_labels}};
  return made;
}

std::vector<int32_t> Caffe2Value::labels(int64_t num_labels) const {
  std::vector<int32_t> found(static_cast<size_t>(count_ints(numbers_, kInts)));
  read_ints(numbers_, kInts, std::span<int32_t>(found));
  for (const int32_t label : found)
    if (label < 0 || label >= num_labels)
      throw std::runtime_error("label " + std::to_string(label) +
                               " is not below num_labels=" + std::to_string(num_labels));
  return found;
}

void Caffe2Value::write(View out) const {
  const auto count = static_cast<size_t>(out.shape.volume());
  if (!one_per_class_) {
    if (dtype_ == DType::f32) read_floats(numbers_, kFloats, {out.as<float>(), count});
    if (dtype_ == DType::i32) read_ints(numbers_, kInts, std::span<int32_t>(out.as<int32_t>(), count));
    if (dtype_ == DType::i64) read_ints(numbers_, kLongs, std::span<int64_t>(out.as<int64_t>(), count));
    return;
  }
  const std::vector<int32_t> found = labels(shape_[0]);
  std::memset(out.data, 0, static_cast<size_t>(out.bytes()));
  if (dtype_ == DType::i32) {
    for (const int32_t label : found) out.as<int32_t>()[label] = 1;
    return;
  }
  std::vector<float> weights(found.size());
  read_floats(weights_, kFloats, weights);
  for (size_t i = 0; i < found.size(); ++i) out.as<float>()[found[i]] = weights[i];
}

}  // namespace penstock
