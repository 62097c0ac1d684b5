#include "datasets/files/array_files.h"

#include <algorithm>
#include <stdexcept>

#include "codecs/arrays/read_array.h"
#include "kernels/array/extract_step.h"
#include "kernels/elements/convert.h"
#include "memory/memory_limit.h"
#include "runtime/untouched_pages.h"

namespace penstock {
namespace {

// So many files stay open between looking at their headers and reading them. The others are opened again, which takes
// some microseconds each; but with more than 64 open, Linux makes a larger table of them, for which a program with
// several threads waits 8 to 24 ms.
constexpr size_t kKeptOpen = 24;

constexpr const char* kTypeNames[] = {"uint8", "uint16", "uint32",  "uint64",  "int8",    "int16",
                                      "int32", "int64",  "float16", "float32", "float64", "bool"};

Box window_of(const StoredArray& array, const ArrayOptions& options, size_t sample) {
  Shape start;
  start.ndim = array.shape.ndim;
  if (!options.rule) return {start, array.shape};
  Box window = fitted(options.rule->window(sample, array.shape), array.shape, options.border);
  if (!is_countable(window.extent)) throw std::runtime_error("the region is too large to be read");
  return window;
}

// What `read_one` takes: the window as it is handed out, and as it is stored where that is something else.
void require_affordable(const StoredArray& array, const Box& window, const ArrayOptions& options) {
  const DType made = options.dtype.value_or(array.dtype);
  const bool turned = array.columns_first && array.shape.ndim > 1;
  int64_t element = item_bytes(made) + (turned ? item_bytes(array.stored) : 0);
  if (made != array.dtype) element += item_bytes(array.dtype);
  if (array.meaning == Meaning::scaled) element += item_bytes(array.stored);
  const int64_t elements = window.extent.volume();
  require_memory([&] { return "an array of " + std::to_string(elements) + " elements"; },
                 static_cast<double>(elements) * static_cast<double>(element), options.max_bytes);
}

/// The arrays of a batch, as far as their headers tell.
struct FoundArrays {
  explicit FoundArrays(size_t n) : arrays(n), windows(n), errors(n) {}

  bool complete() const {
    return std::all_of(errors.begin(), errors.end(), [](const std::string& error) { return error.empty(); });
  }

  /// What most of them are is taken to be right: a damaged file must not make its neighbours bad.
  void check_alike(bool converted) {
    const auto alike = [&](const StoredArray& one, const StoredArray& other) {
      return (converted || one.dtype == other.dtype) && one.shape.ndim == other.shape.ndim;
    };
    if (arrays.empty() || std::all_of(arrays.begin(), arrays.end(), [&](const auto& a) { return alike(a, arrays[0]); }))
      return;
    const auto followers = [&](const StoredArray& one) {
      return std::count_if(arrays.begin(), arrays.end(), [&](const auto& other) { return alike(one, other); });
    };
    const auto best = std::max_element(arrays.begin(), arrays.end(), [&](const auto& one, const auto& other) {
      return followers(one) < followers(other);
    });
    for (size_t i = 0; i < arrays.size(); ++i)
      if (!alike(arrays[i], *best)) errors[i] = unlike(static_cast<size_t>(best - arrays.begin()), i, converted);
  }

  std::string unlike(size_t usual, size_t odd, bool converted) const {
    const StoredArray &one = arrays[usual], &other = arrays[odd];
    const bool types = !converted && one.dtype != other.dtype;
    const auto told = [types](const StoredArray& array) {
      return types ? name_of(array) : std::to_string(array.shape.ndim);
    };
    return std::string("Inconsistent data: All samples in the batch must have the same ") +
           (types ? "data type" : "number of dimensions") + ". Sample " + std::to_string(usual) + " has " + told(one) +
           ", sample " + std::to_string(odd) + " " + told(other);
  }

  Samples allocate(const ArrayOptions& options) const {
    if (arrays.empty()) return Samples::empty(options.dtype.value_or(DType::u8), 0, std::vector<Shape>());
    std::vector<Shape> shapes;
    for (const Box& window : windows) shapes.push_back(window.extent);
    return Samples::empty(options.dtype.value_or(arrays[0].dtype), arrays[0].shape.ndim, std::move(shapes));
  }

  static std::string name_of(const StoredArray& array) { return kTypeNames[static_cast<int>(array.dtype)]; }

  std::vector<StoredArray> arrays;
  std::vector<Box> windows;
  std::vector<std::string> errors;
};

template <typename Work>
void each_file(Pool& pool, std::vector<std::string>& errors, const Work& work) {
  pool.for_each(errors.size(), [&](size_t i, Scratch& scratch) {
    try {
      work(i, scratch);
    } catch (const std::exception& error) {
      errors[i] = error.what();
    }
  });
}

void read_one(View out, ByteSource& file, const StoredArray& array, const Box& window, float fill, Scratch& scratch) {
  alignas(8) std::byte element[8];
  rounding_conversion(array.stored, DType::f32)(element, reinterpret_cast<const std::byte*>(&fill), 1);
  if (out.dtype == array.dtype) return read_window(out, file, array, window.anchor, element, scratch);
  const int64_t n = out.shape.volume();
  const View made{scratch.bytes(kChainPing, n * item_bytes(array.dtype)), array.dtype, out.shape};
  read_window(made, file, array, window.anchor, element, scratch);
  rounding_conversion(out.dtype, array.dtype)(out.data, made.data, n);
}

bool stays_in_place(const StoredArray& array, const std::byte* file, const ArrayOptions& options) {
  return array.meaning == Meaning::plain && !(array.big_endian && item_bytes(array.stored) > 1) &&
         !(array.columns_first && array.shape.ndim > 1) && options.dtype.value_or(array.dtype) == array.dtype &&
         reinterpret_cast<uintptr_t>(file + array.offset) % item_bytes(array.stored) == 0;
}

}  // namespace

ArrayBatch read_arrays(Pool& pool, size_t n, const OpenFile& open, const ArrayFormat& format,
                       const ArrayOptions& options) {
  FoundArrays found(n);
  std::vector<std::unique_ptr<ByteSource>> files(n);
  each_file(pool, found.errors, [&](size_t i, Scratch&) {
    std::unique_ptr<ByteSource> file = open(i, false);
    found.arrays[i] = format.find(*file);
    found.windows[i] = window_of(found.arrays[i], options, i);
    require_affordable(found.arrays[i], found.windows[i], options);
    if (i < kKeptOpen) files[i] = std::move(file);
  });
  if (found.complete()) found.check_alike(options.dtype.has_value());
  if (!found.complete()) return {{}, std::move(found.errors)};
  Samples samples = found.allocate(options);
  touch_pages(pool, samples);
  each_file(pool, found.errors, [&](size_t i, Scratch& scratch) {
    if (!files[i]) files[i] = open(i, true);
    read_one(samples.view(i), *files[i], found.arrays[i], found.windows[i], options.fill, scratch);
    files[i].reset();
  });
  return {std::move(samples), std::move(found.errors)};
}

ArrayBatch arrays_within(Pool& pool, const Samples& files, const ArrayFormat& format, const ArrayOptions& options) {
  const auto open = [&](size_t i, bool) {
    const ConstView file = files.const_view(i);
    return std::make_unique<MemoryBytes>(std::span(file.data, static_cast<size_t>(file.bytes())));
  };
  FoundArrays found(files.size());
  each_file(pool, found.errors, [&](size_t i, Scratch&) {
    found.arrays[i] = format.find(*open(i, false));
    require_affordable(found.arrays[i], window_of(found.arrays[i], options, i), options);
  });
  if (found.complete()) found.check_alike(options.dtype.has_value());
  if (!found.complete()) return {{}, std::move(found.errors)};
  std::vector<Shape> shapes;
  std::vector<std::byte*> data;
  for (size_t i = 0; i < files.size(); ++i) {
    if (!stays_in_place(found.arrays[i], files.data(i), options))
      return read_arrays(pool, files.size(), open, format, options);
    shapes.push_back(found.arrays[i].shape);
    data.push_back(files.data(i) + found.arrays[i].offset);
  }
  if (data.empty()) return {found.allocate(options), {}};
  const DType dtype = found.arrays[0].dtype;
  const int ndim = found.arrays[0].shape.ndim;
  return {Samples::scattered(dtype, ndim, std::move(shapes), std::move(data), files.owner()), std::move(found.errors)};
}

Extent extent_of(const StoredArray& array, const ArrayOptions& options, size_t sample) {
  const Box window = window_of(array, options, sample);
  int64_t first = 0, last = 0, step = item_bytes(array.stored);
  for (int k = 0; k < array.shape.ndim; ++k) {
    const int axis = array.columns_first ? k : array.shape.ndim - 1 - k;
    const int64_t low = std::clamp<int64_t>(window.anchor[axis], 0, array.shape[axis]);
    const int64_t high = std::clamp<int64_t>(window.anchor[axis] + window.extent[axis], low, array.shape[axis]);
    if (low == high) return {};
    first += low * step;
    last += (high - 1) * step;
    step *= array.shape[axis];
  }
  return {array.offset + first, last - first + item_bytes(array.stored)};
}

}  // namespace penstock
