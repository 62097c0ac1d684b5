#include "datasets/records/caffe.h"

#include <algorithm>

#include "codecs/records/caffe_datum.h"
#include "memory/shared_bytes.h"

namespace penstock {
namespace {

Bytes bytes_of(const Samples& messages, size_t i) {
  return {messages.data(i), static_cast<size_t>(messages.shape(i).volume())};
}

/// Calls `parse` for every message; what it throws is the error of that message. On one thread: to wake others takes
/// longer than to step over the fields of a batch.
template <typename Parse>
std::vector<std::string> each_message(size_t n, Parse parse) {
  std::vector<std::string> errors(n);
  for (size_t i = 0; i < n; ++i) {
    try {
      parse(i);
    } catch (const std::exception& error) {
      errors[i] = error.what();
    }
  }
  return errors;
}

bool all_well(const std::vector<std::string>& errors) {
  return std::all_of(errors.begin(), errors.end(), [](const std::string& error) { return error.empty(); });
}

std::vector<std::string> unlike_the_first(const std::vector<Shape>& shapes) {
  std::vector<std::string> errors(shapes.size());
  for (size_t i = 0; i < shapes.size(); ++i)
    if (shapes[i].ndim != shapes[0].ndim)
      errors[i] = std::string("the image ") + (shapes[i].ndim == 1 ? "is a file" : "is pixels") +
                  ", the first of the batch is not; batch_size=None reads both";
  return errors;
}

/// The images of a batch, which are all files or all pixels.
Samples gather_images(const Samples& messages, const std::vector<Bytes>& images, std::vector<Shape> shapes,
                      std::vector<std::string>& errors) {
  errors = unlike_the_first(shapes);
  return all_well(errors) ? shared_bytes(messages, images, std::move(shapes)) : Samples();
}

std::vector<std::string> unlike_the_first(const Caffe2Value* values, size_t n) {
  std::vector<std::string> errors(n);
  for (size_t i = 0; i < n; ++i)
    if (values[i].dtype() != values[0].dtype()) errors[i] = "its numbers are of another type than those of the batch";
  return errors;
}

Samples gather_numbers(const Caffe2Value* values, size_t n, std::vector<std::string>& errors) {
  errors = unlike_the_first(values, n);
  if (!all_well(errors)) return {};
  std::vector<Shape> shapes;
  for (size_t i = 0; i < n; ++i) shapes.push_back(values[i].shape());
  Samples made = Samples::empty(n ? values[0].dtype() : DType::i32, 1, std::move(shapes));
  errors = each_message(n, [&](size_t i) { values[i].write(made.view(i)); });
  return made;
}

}  // namespace

CaffeOutputs datums(const Samples& messages, bool image, bool label) {
  const size_t n = messages.size();
  std::vector<Bytes> images(n);
  std::vector<Shape> shapes(n);
  Samples labels = label ? Samples::empty(DType::i32, n, {1, {1}}) : Samples();
  CaffeOutputs made;
  made.errors = each_message(n, [&](size_t i) {
    const Datum datum = parse_datum(bytes_of(messages, i));
    if (image) {
      shapes[i] = datum.shape();
      images[i] = *datum.data;
    }
    if (label && !datum.label) throw std::runtime_error("there is no label; label_available=False does without");
    if (label) *labels.view(i).as<int32_t>() = *datum.label;
  });
  if (!all_well(made.errors)) return made;
  if (image) made.outputs.push_back(gather_images(messages, images, std::move(shapes), made.errors));
  if (label) made.outputs.push_back(std::move(labels));
  return made;
}

CaffeOutputs tensor_protos(const Samples& messages, const std::vector<Caffe2Part>& parts, int64_t num_labels) {
  const size_t n = messages.size(), width = parts.size();
  const auto tensors = width + static_cast<size_t>(std::count(parts.begin(), parts.end(), Caffe2Part::weighted_label));
  std::vector<Caffe2Value> values(n * width);  // those of one output follow one another
  CaffeOutputs made;
  made.errors = each_message(n, [&](size_t i) {
    const std::vector<Caffe2Tensor> found = find_tensors(bytes_of(messages, i), tensors);
    size_t at = 0;
    for (size_t part = 0; part < width; ++part)
      values[part * n + i] = Caffe2Value::find(parts[part], found, at, num_labels);
  });
  for (size_t part = 0; part < width && all_well(made.errors); ++part) {
    const Caffe2Value* own = values.data() + part * n;
    if (parts[part] != Caffe2Part::image) {
      made.outputs.push_back(gather_numbers(own, n, made.errors));
      continue;
    }
    std::vector<Bytes> images;
    std::vector<Shape> shapes;
    for (size_t i = 0; i < n; ++i) images.push_back(own[i].image()), shapes.push_back(own[i].shape());
    made.outputs.push_back(gather_images(messages, images, std::move(shapes), made.errors));
  }
  return made;
}

}  // namespace penstock
