// Images, labels and other tensors out of the messages that Caffe and Caffe2 keep in LMDBs, a batch at a time.
#pragma once

#include <string>
#include <vector>

#include "codecs/records/caffe2_tensor.h"
#include "memory/samples.h"

namespace penstock {

struct CaffeOutputs {
  std::vector<Samples> outputs;
  std::vector<std::string> errors;  // by message; an empty text where all is well
};

/// From messages `Datum` of Caffe: image, then label, or one of them.
CaffeOutputs datums(const Samples& messages, bool image, bool label);

/// From messages `TensorProtos` of Caffe2: an output for each of `parts`, in the order of the tensors in a message.
CaffeOutputs tensor_protos(const Samples& messages, const std::vector<Caffe2Part>& parts, int64_t num_labels);

}  // namespace penstock
