#include "codecs/compression/inflate_step.h"

#include <stdexcept>
#include <string>

#include "codecs/compression/lz4.h"
#include "memory/memory_limit.h"

namespace penstock {
namespace {

// A byte of LZ4 data stands for at most so many bytes.
constexpr double kLargestRatio = 256;

template <typename T>
const T& of_sample(const std::vector<T>& values, size_t sample) {
  return values[values.size() == 1 ? 0 : sample];
}

void check_sizes(double elements, DType dtype, int64_t in_bytes) {
  const double bytes = elements * static_cast<double>(item_bytes(dtype));
  if (bytes > kLargestRatio * static_cast<double>(in_bytes))
    throw std::runtime_error("the shape asks for " + std::to_string(bytes) + " bytes, more than " +
                             std::to_string(in_bytes) + " bytes of LZ4 data can hold");
}

}  // namespace

std::vector<Inflate::Chunk> Inflate::chunks(size_t sample, int64_t bytes) const {
  if (!options_.offsets && !options_.sizes) return {{0, bytes}};
  const std::vector<int64_t>* offsets = options_.offsets ? &of_sample(*options_.offsets, sample) : nullptr;
  const std::vector<int64_t>* sizes = options_.sizes ? &of_sample(*options_.sizes, sample) : nullptr;
  if (offsets && sizes && offsets->size() != sizes->size())
    throw std::runtime_error("there are " + std::to_string(offsets->size()) + " chunk_offsets and " +
                             std::to_string(sizes->size()) + " chunk_sizes");
  std::vector<Chunk> result;
  const size_t count = (offsets ? offsets : sizes)->size();
  int64_t end = 0;
  for (size_t k = 0; k < count; ++k) {
    const int64_t offset = offsets ? (*offsets)[k] : end;
    const int64_t size = sizes ? (*sizes)[k] : (k + 1 < count ? (*offsets)[k + 1] : bytes) - offset;
    if (offset < 0 || size < 0 || offset > bytes || size > bytes - offset)
      throw std::runtime_error("chunk " + std::to_string(k) + " of " + std::to_string(size) + " bytes at " +
                               std::to_string(offset) + " is not within the " + std::to_string(bytes) +
                               " bytes of the sample");
    end = offset + size;
    result.push_back({offset, size});
  }
  return result;
}

Spec Inflate::infer(size_t sample, const Spec& in, ConstView) const {
  const Shape& one = of_sample(options_.shapes, sample);
  const int64_t bytes = in.shape.volume();
  double elements = 1;
  for (int axis = 0; axis < one.ndim; ++axis) elements *= static_cast<double>(one[axis]);
  const auto require_affordable = [&](double frames) {
    require_memory("the inflated data", frames * elements * static_cast<double>(item_bytes(options_.dtype)),
                   options_.max_bytes);
  };
  if (!options_.offsets && !options_.sizes) {
    check_sizes(elements, options_.dtype, bytes);
    require_affordable(1);
    return {options_.dtype, one};
  }
  const auto all = chunks(sample, bytes);
  for (const Chunk& chunk : all) check_sizes(elements, options_.dtype, chunk.size);
  require_affordable(static_cast<double>(all.size()));
  Shape shape;
  shape.ndim = one.ndim + 1;
  shape[0] = static_cast<int64_t>(all.size());
  for (int axis = 0; axis < one.ndim; ++axis) shape[axis + 1] = one[axis];
  return {options_.dtype, shape};
}

void Inflate::run(size_t sample, View out, ConstView in, Scratch&) const {
  const auto all = chunks(sample, in.bytes());
  const size_t bytes = all.empty() ? 0 : static_cast<size_t>(out.bytes()) / all.size();
  std::byte* to = out.data;
  for (const Chunk& chunk : all) {
    inflate_lz4({to, bytes}, {in.data + chunk.offset, static_cast<size_t>(chunk.size)});
    to += bytes;
  }
}

}  // namespace penstock
