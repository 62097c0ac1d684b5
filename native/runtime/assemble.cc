#include "runtime/assemble.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <stdexcept>

#include "kernels/bytes/interleave.h"
#include "kernels/bytes/stream.h"
#include "memory/shape_text.h"

namespace penstock {
namespace {

// Waking the other threads takes as long as moving some 100 kB.
constexpr int64_t kParallelCopyFromBytes = 256 << 10;
constexpr int64_t kTaskBytes = 512 << 10;
// So that no thread is left with much at the end.
constexpr int64_t kTasksPerThread = 4;

void for_each_task(Pool& pool, size_t tasks, int64_t bytes, const std::function<void(size_t)>& work) {
  if (bytes < kParallelCopyFromBytes || tasks == 1)
    for (size_t i = 0; i < tasks; ++i) work(i);
  else
    pool.for_each(tasks, [&](size_t i, Scratch&) { work(i); });
}

/// Collects results to be interleaved and cuts them into tasks of bearable size.
class InterleaveTasks {
 public:
  void add(std::byte* out, std::vector<RowSource> sources, int64_t rows) {
    int64_t row_bytes = 0;
    for (const RowSource& source : sources) row_bytes += source.row_bytes;
    bytes_ += rows * row_bytes;
    if (rows == 1 && row_bytes > kTaskBytes) return add_long_row(out, sources);
    cut(out, std::move(sources), rows, row_bytes);
  }

  void run(Pool& pool) const {
    for_each_task(pool, tasks_.size(), bytes_, [&](size_t i) {
      const Task& task = tasks_[i];
      interleave(task.out, *task.sources, task.first, task.last, bytes_ > kPastCachesFromBytes);
    });
  }

 private:
  struct Task {
    std::byte* out;
    const std::vector<RowSource>* sources;
    int64_t first, last;
  };

  // Contiguous bytes can be cut anywhere: they are rows of one byte.
  void add_long_row(std::byte* out, const std::vector<RowSource>& sources) {
    for (const RowSource& source : sources) {
      cut(out, {{source.data, 1}}, source.row_bytes, 1);
      out += source.row_bytes;
    }
  }

  void cut(std::byte* out, std::vector<RowSource> sources, int64_t rows, int64_t row_bytes) {
    sources_.push_back(std::move(sources));
    const int64_t step = std::max<int64_t>(1, kTaskBytes / std::max<int64_t>(1, row_bytes));
    for (int64_t first = 0; first < rows; first += step)
      tasks_.push_back({out, &sources_.back(), first, std::min(rows, first + step)});
  }

  std::vector<Task> tasks_;
  std::deque<std::vector<RowSource>> sources_;  // tasks refer to them
  int64_t bytes_ = 0;
};

void check_alike(std::span<const Samples* const> inputs) {
  const Samples& first = *inputs[0];
  for (size_t k = 1; k < inputs.size(); ++k)
    if (inputs[k]->dtype() != first.dtype() || inputs[k]->ndim() != first.ndim())
      throw std::runtime_error("All inputs must have the same type and number of dimensions");
}

size_t serving(const Samples& samples, size_t i) { return samples.size() == 1 ? 0 : i; }

Shape joined_shape(std::span<const Samples* const> inputs, size_t i, int axis, Joint joint) {
  const Shape& first = inputs[0]->shape(serving(*inputs[0], i));
  int64_t extent = 0;
  for (size_t k = 0; k < inputs.size(); ++k) {
    Shape other = inputs[k]->shape(serving(*inputs[k], i));
    if (joint == Joint::along_axis) {
      extent += other[axis];
      other[axis] = first[axis];
    }
    if (other == first) continue;
    const std::string shapes = ": input " + std::to_string(k) + " has shape " +
                               braced_text(inputs[k]->shape(serving(*inputs[k], i))) + ", input 0 " +
                               braced_text(first) + " in sample " + std::to_string(i);
    if (joint == Joint::along_new_axis)
      throw std::runtime_error("Tensor stacking requires that all tensors being stacked are of equal shape" + shapes);
    throw std::runtime_error("Concatenated tensors can differ in size only in the concatenation axis (" +
                             std::to_string(axis) + ")" + shapes);
  }
  Shape result = first;
  if (joint == Joint::along_new_axis) {
    std::copy_backward(first.extent.begin() + axis, first.extent.begin() + first.ndim,
                       result.extent.begin() + first.ndim + 1);
    ++result.ndim;
    extent = static_cast<int64_t>(inputs.size());
  }
  result[axis] = extent;
  return result;
}

std::vector<RowSource> sources_of(std::span<const Samples* const> inputs, size_t i, int axis) {
  std::vector<RowSource> sources;
  for (const Samples* input : inputs) {
    const ConstView view = input->const_view(serving(*input, i));
    sources.push_back({view.data, view.shape.volume(axis, view.shape.ndim) * item_bytes(view.dtype)});
  }
  return sources;
}

void fill_block(std::byte* out, int64_t bytes, ConstView value, Pool& pool) {
  if (bytes == 0) return;
  const std::span<const std::byte> pattern{value.data, static_cast<size_t>(value.bytes())};
  // The processor needs a while to find its pace with every stretch: 4 MB at once take 0.92 times as long as parts of
  // 512 KB.
  const int64_t share = bytes / (kTasksPerThread * pool.threads());
  const int64_t wanted = std::clamp(share, kTaskBytes, 8 * kTaskBytes);
  const int64_t step = std::max<int64_t>(1, wanted / value.bytes()) * value.bytes();
  for_each_task(pool, (bytes + step - 1) / step, bytes, [&](size_t task) {
    const int64_t first = static_cast<int64_t>(task) * step;
    repeat(out + first, std::min(step, bytes - first), pattern, bytes > kPastCachesFromBytes);
  });
}

}  // namespace

Samples join(Pool& pool, size_t n, std::span<const Samples* const> inputs, int axis, Joint joint) {
  check_alike(inputs);
  const Samples& first = *inputs[0];
  // Samples of one shape, back to back, are one array with another axis in front.
  const bool as_one = n > 0 && std::all_of(inputs.begin(), inputs.end(),
                                           [&](const Samples* s) { return s->is_dense() && s->size() == n; });
  std::vector<Shape> shapes;
  for (size_t i = 0; i < (as_one ? 1 : n); ++i) shapes.push_back(joined_shape(inputs, i, axis, joint));
  Samples out = as_one ? Samples::empty(first.dtype(), n, shapes[0])
                       : Samples::empty(first.dtype(), first.ndim() + (joint == Joint::along_new_axis), shapes);
  InterleaveTasks tasks;
  const int64_t times = as_one ? static_cast<int64_t>(n) : 1;
  for (size_t i = 0; i < shapes.size(); ++i)
    tasks.add(out.data(i), sources_of(inputs, i, axis), times * shapes[i].volume(0, axis));
  tasks.run(pool);
  return out;
}

void fill(Pool& pool, const Samples& out, const Samples& values) {
  if (out.is_dense() && values.size() == 1) return fill_block(out.data(0), out.bytes(), values.const_view(0), pool);
  for (size_t i = 0; i < out.size(); ++i)
    fill_block(out.data(i), out.const_view(i).bytes(), values.const_view(serving(values, i)), pool);
}

Samples rearrange(Pool& pool, const Samples& in, size_t n, const std::vector<std::vector<int64_t>>& orders) {
  std::vector<Shape> shapes;
  for (size_t i = 0; i < n; ++i) {
    shapes.push_back(in.shape(serving(in, i)));
    shapes[i][0] = static_cast<int64_t>(orders[orders.size() == 1 ? 0 : i].size());
  }
  Samples out = Samples::empty(in.dtype(), in.ndim(), shapes);
  InterleaveTasks tasks;
  for (size_t i = 0; i < n; ++i) {
    const ConstView view = in.const_view(serving(in, i));
    const int64_t row_bytes = view.shape.volume(1, view.shape.ndim) * item_bytes(view.dtype);
    std::vector<RowSource> sources;
    for (const int64_t row : orders[orders.size() == 1 ? 0 : i])
      sources.push_back({view.data + row * row_bytes, row_bytes});
    tasks.add(out.data(i), std::move(sources), 1);
  }
  tasks.run(pool);
  return out;
}

}  // namespace penstock
