#include "kernels/resize/resample.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/resize/resample_float.h"
#include "kernels/resize/row_resampler.h"

namespace penstock {
namespace {

void resample_rows(View out, ConstView in, const ResampledAxis& rows, const ResampledAxis& columns, Scratch& scratch) {
  RowResampler& resampler = thread_row_resampler();
  const int64_t images = in.shape.volume(0, rows.axis);
  const int64_t channels = in.shape.volume(columns.axis + 1, in.shape.ndim);
  const int64_t stride = columns.spec.in * channels;
  const uint8_t* from = in.as<uint8_t>();
  uint8_t* to = out.as<uint8_t>();
  for (int64_t i = 0; i < images; ++i) {
    resampler.begin(to, rows.spec, columns.spec, static_cast<int>(channels), scratch);
    resampler.push({from, stride, 0, rows.spec.in, 0, in.as<uint8_t>() + in.bytes()});
    from += rows.spec.in * stride;
    to += rows.spec.out * columns.spec.out * channels;
  }
}

/// The weights of `spec`, kept from an earlier call on this thread if they were made for the same.
const AxisWeights& weights_of(const AxisSpec& spec, bool is_last, size_t slot) {
  struct Kept {
    AxisSpec spec;
    bool is_last = false;
    AxisWeights weights;
  };
  static thread_local std::array<Kept, kMaxDims> kept;
  Kept& entry = kept[slot];
  if (!(entry.spec == spec && entry.is_last == is_last)) {
    entry.weights.compute(spec, is_last);
    entry.spec = spec;
    entry.is_last = is_last;
  }
  return entry.weights;
}

struct FloatAxis {
  int axis;
  const AxisWeights* weights;
  double growth() const {
    return static_cast<double>(weights->out()) / static_cast<double>(weights->end_input() - weights->first_input());
  }
};

bool grows_less(const FloatAxis& a, const FloatAxis& b) { return a.growth() < b.growth(); }

/// Narrows `view` to the pixels that `axes` use.
StridedView needed_part(StridedView view, std::span<const FloatAxis> axes) {
  for (const FloatAxis& a : axes) {
    view.data += a.weights->first_input() * view.stride[a.axis] * item_bytes(view.dtype);
    view.shape[a.axis] = a.weights->end_input() - a.weights->first_input();
  }
  return view;
}

void resample_in_float(View out, ConstView in, std::span<const FloatAxis> axes, Scratch& scratch) {
  StridedView from = needed_part(strided(in), axes);
  std::array<Shape, kMaxDims> shapes;
  std::array<int64_t, 2> size{};  // of two buffers that take turns
  Shape shape = from.shape;
  for (size_t i = 0; i + 1 < axes.size(); ++i) {
    shape[axes[i].axis] = axes[i].weights->out();
    shapes[i] = shape;
    size[i % 2] = std::max(size[i % 2], shape.volume());
  }
  const int64_t longest = *std::max_element(from.shape.extent.begin(), from.shape.extent.end());
  float* memory = scratch.array<float>(kResampleTemp, size[0] + size[1] + line_floats(longest));
  float* line = memory + size[0] + size[1];
  for (size_t i = 0; i < axes.size(); ++i) {
    View to = out;
    if (i + 1 < axes.size()) to = {reinterpret_cast<std::byte*>(memory + i % 2 * size[0]), DType::f32, shapes[i]};
    resample_axis(to, from, axes[i].axis, *axes[i].weights, axes[i].weights->first_input(), line);
    from = strided({to.data, to.dtype, to.shape});
  }
}

}  // namespace

bool resamples_by_rows(DType out, const Shape& in, DType in_dtype, std::span<const ResampledAxis> axes) {
  return out == DType::u8 && in_dtype == DType::u8 && axes.size() == 2 && axes[1].axis == axes[0].axis + 1 &&
         in.volume(axes[1].axis + 1, in.ndim) <= 4;
}

void resample(View out, ConstView in, std::span<const ResampledAxis> axes, Scratch& scratch) {
  if (resamples_by_rows(out.dtype, in.shape, in.dtype, axes)) return resample_rows(out, in, axes[0], axes[1], scratch);
  std::array<FloatAxis, kMaxDims> passes;
  size_t count = 0;
  for (const ResampledAxis& a : axes)
    if (!a.spec.is_identity()) {
      passes[count] = {a.axis, &weights_of(a.spec, a.axis == axes.back().axis, count)};
      ++count;
    }
  if (count == 0 && out.dtype == in.dtype) {
    std::memcpy(out.data, in.data, in.bytes());
    return;
  }
  if (count == 0) {  // a pass of weight one converts the type
    const int64_t extent = in.shape[0];
    passes[count++] = {0,
                       &weights_of({extent, extent, 0, static_cast<float>(extent), Interp::nearest, false}, true, 0)};
  }
  // Shrinking first leaves less for the passes after it.
  for (auto pass = passes.begin(); pass != passes.begin() + count; ++pass)
    std::iter_swap(pass, std::min_element(pass, passes.begin() + count, grows_less));
  resample_in_float(out, in, {passes.data(), count}, scratch);
}

}  // namespace penstock
