// The step that inflates samples compressed as LZ4 blocks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/step.h"

namespace penstock {

/// Inflates LZ4 blocks: one per sample, or several of the same inflated shape that become a sequence.
class Inflate : public Step {
 public:
  using Lists = std::vector<std::vector<int64_t>>;

  /// A list for every sample or one for all. Where `offsets` or `sizes` are missing the chunks lie back to back, from
  /// the first byte on or up to the last; without both, the sample is one chunk and gets no axis of chunks.
  struct Options {
    DType dtype;
    std::vector<Shape> shapes;
    std::optional<Lists> offsets, sizes;
    int64_t max_bytes;
  };

  explicit Inflate(Options options) : options_(std::move(options)) {}

  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;

 private:
  struct Chunk {
    int64_t offset, size;
  };
  std::vector<Chunk> chunks(size_t sample, int64_t bytes) const;

  Options options_;
};

}  // namespace penstock
