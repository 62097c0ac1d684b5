// TensorProtos, the protobuf message in an LMDB of Caffe2: tensors of which each has its meaning by its place.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codecs/records/protobuf.h"
#include "memory/view.h"

namespace penstock {

/// What somebody takes the next tensors of a message for. Weighted labels are two tensors, the others one.
enum class Caffe2Part : uint8_t { image, label, sparse_label, dense_label, weighted_label, numbers, box };

/// One tensor as it stands in the message, not yet looked into.
struct Caffe2Tensor {
  Bytes message;
  int64_t type = 1;
};

/// The tensors of a message, `wanted` at most. Throws where there are fewer or it is no such message.
std::vector<Caffe2Tensor> find_tensors(Bytes message, size_t wanted);

/// A value found in one or two tensors: bytes of an image, or numbers still to be read.
class Caffe2Value {
 public:
  Caffe2Value() = default;
  /// Checks the tensors from `at` on, which moves past them. Throws where they are not what they are taken for.
  static Caffe2Value find(Caffe2Part part, const std::vector<Caffe2Tensor>& tensors, size_t& at, int64_t num_labels);

  DType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  Bytes image() const { return image_; }
  /// Writes the numbers of what is no image. Throws for labels out of range.
  void write(View out) const;

 private:
  Caffe2Value(DType dtype, const Shape& shape) : dtype_(dtype), shape_(shape) {}
  static Caffe2Value of_image(const Caffe2Tensor& tensor);
  static Caffe2Value of_numbers(const Caffe2Tensor& tensor, const char* what, std::optional<int64_t> count);
  std::vector<int32_t> labels(int64_t num_labels) const;

  DType dtype_ = DType::u8;
  Shape shape_;
  Bytes image_, numbers_, weights_;
  bool one_per_class_ = false;
};

}  // namespace penstock
