#include "codecs/arrays/read_array.h"

#include <algorithm>
#include <cstring>

#include "kernels/array/transpose.h"
#include "kernels/elements/stored_values.h"

namespace penstock {
namespace {

// Reading through a gap costs less than asking twice; a block of rows to pick from should stay in the caches.
constexpr int64_t kSmallGap = 4 << 10;
constexpr int64_t kBlock = 256 << 10;

/// An axis of the window: the distances of its neighbours in the file and in the result, in bytes.
struct Axis {
  int64_t extent, in_step, out_step;
};

struct Plan {
  std::array<Axis, kMaxDims> axes;  // the outermost first
  int count = 0;
  int64_t run;  // bytes that are together on both sides
  int64_t offset, out_offset;
  bool empty = false, padded = false;
};

/// The part of a row-major array that lies in the window.
Plan plan_of(const Shape& shape, const Shape& anchor, const Shape& window, int64_t item) {
  Plan plan{{}, 0, item, 0, 0};
  int64_t in_step = item, out_step = item;
  for (int axis = shape.ndim - 1; axis >= 0; --axis) {
    const int64_t low = std::clamp<int64_t>(anchor[axis], 0, shape[axis]);
    const int64_t high = std::clamp<int64_t>(anchor[axis] + window[axis], low, shape[axis]);
    const int64_t extent = high - low;
    plan.empty = plan.empty || extent == 0;
    plan.padded = plan.padded || extent < window[axis];
    plan.offset += low * in_step;
    plan.out_offset += (low - anchor[axis]) * out_step;
    if (plan.count == 0 && in_step == plan.run && out_step == plan.run)
      plan.run *= extent;
    else if (extent > 1)
      plan.axes[plan.count++] = {extent, in_step, out_step};
    in_step *= shape[axis];
    out_step *= window[axis];
  }
  std::reverse(plan.axes.begin(), plan.axes.begin() + plan.count);
  return plan;
}

class WindowReader {
 public:
  WindowReader(ByteSource& file, int64_t run, Scratch& scratch) : file_(file), run_(run), scratch_(scratch) {}

  void take(std::byte* out, int64_t offset, const Axis* axes, int count) {
    if (count == 0) return file_.read(out, offset, run_);
    const auto [inner, dense] = span_of(axes + 1, count - 1);
    Axis part = *axes;
    part.extent =
        dense && part.in_step - inner < kSmallGap ? std::max<int64_t>((kBlock - inner) / part.in_step + 1, 1) : 1;
    for (int64_t k = 0; k < axes->extent; k += part.extent) {
      part.extent = std::min(part.extent, axes->extent - k);
      std::byte* to = out + k * part.out_step;
      const int64_t from = offset + k * part.in_step;
      if (part.extent == 1)
        take(to, from, axes + 1, count - 1);
      else
        take_block(to, from, part, inner, axes + 1, count - 1);
    }
  }

 private:
  struct Span {
    int64_t bytes;
    bool dense;  // without gaps that are worth a call of their own
  };

  Span span_of(const Axis* axes, int count) const {
    Span span{run_, true};
    for (int i = count - 1; i >= 0; --i) {
      span.dense = span.dense && axes[i].in_step - span.bytes < kSmallGap;
      span.bytes += (axes[i].extent - 1) * axes[i].in_step;
    }
    span.dense = span.dense && span.bytes <= kBlock;
    return span;
  }

  void take_block(std::byte* out, int64_t offset, const Axis& axis, int64_t inner, const Axis* axes, int count) {
    const int64_t bytes = (axis.extent - 1) * axis.in_step + inner;
    std::byte* block = scratch_.bytes(kStepTables, bytes);
    file_.read(block, offset, bytes);
    for (int64_t k = 0; k < axis.extent; ++k) copy(out + k * axis.out_step, block + k * axis.in_step, axes, count);
  }

  void copy(std::byte* out, const std::byte* in, const Axis* axes, int count) const {
    if (count == 0) {
      std::memcpy(out, in, run_);
      return;
    }
    for (int64_t k = 0; k < axes->extent; ++k)
      copy(out + k * axes->out_step, in + k * axes->in_step, axes + 1, count - 1);
  }

  ByteSource& file_;
  int64_t run_;
  Scratch& scratch_;
};

void repeat(std::byte* out, int64_t bytes, const std::byte* element, int64_t item) {
  if (bytes == 0) return;
  std::memcpy(out, element, item);
  for (int64_t done = item; done < bytes; done *= 2) std::memcpy(out + done, out, std::min(done, bytes - done));
}

/// The window in the order of the file, of elements as they are stored.
void read_rows(View out, ByteSource& file, const StoredArray& array, const Shape& shape, const Shape& anchor,
               const std::byte* fill, Scratch& scratch) {
  const int64_t item = item_bytes(out.dtype);
  const Plan plan = plan_of(shape, anchor, out.shape, item);
  if (plan.padded) repeat(out.data, out.bytes(), fill, item);
  if (plan.empty || out.bytes() == 0) return;
  WindowReader(file, plan.run, scratch)
      .take(out.data + plan.out_offset, array.offset + plan.offset, plan.axes.data(), plan.count);
}

Shape reversed(Shape shape) {
  std::reverse(shape.extent.begin(), shape.extent.begin() + shape.ndim);
  return shape;
}

/// The window of elements as they are stored, in this machine's byte order.
void read_stored(View out, ByteSource& file, const StoredArray& array, const Shape& anchor, const std::byte* fill,
                 Scratch& scratch) {
  const int64_t item = item_bytes(array.stored);
  alignas(8) std::byte swapped_fill[8];
  if (fill) std::memcpy(swapped_fill, fill, item);
  if (array.big_endian) swap_bytes(swapped_fill, item, 1);
  if (array.columns_first && array.shape.ndim > 1) {
    const View turned{scratch.bytes(kStepTemp, out.bytes()), out.dtype, reversed(out.shape)};
    read_rows(turned, file, array, reversed(array.shape), reversed(anchor), swapped_fill, scratch);
    std::array<int, kMaxDims> order{};
    for (int axis = 0; axis < out.shape.ndim; ++axis) order[axis] = out.shape.ndim - 1 - axis;
    transpose(out, {turned.data, turned.dtype, turned.shape}, order);
  } else {
    read_rows(out, file, array, array.shape, anchor, swapped_fill, scratch);
  }
  if (array.big_endian) swap_bytes(out.data, item, out.shape.volume());
}

}  // namespace

void read_window(View out, ByteSource& file, const StoredArray& array, const Shape& anchor, const std::byte* fill,
                 Scratch& scratch) {
  if (array.meaning == Meaning::plain) return read_stored(out, file, array, anchor, fill, scratch);
  const int64_t n = out.shape.volume(), item = item_bytes(array.stored);
  if (array.meaning == Meaning::offset_by_half) {
    read_stored({out.data, array.stored, out.shape}, file, array, anchor, fill, scratch);
    return flip_signs(out.data, item, n);
  }
  const View stored{scratch.bytes(kStepFactors, n * item), array.stored, out.shape};
  read_stored(stored, file, array, anchor, fill, scratch);
  scale_values(out.data, out.dtype, stored.data, stored.dtype, n, array.scale, array.zero, array.blank);
}

}  // namespace penstock
