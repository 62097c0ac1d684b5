#include "kernels/array/transpose.h"

#include <algorithm>
#include <cstring>

#include "kernels/bytes/channels.h"

namespace penstock {
namespace {

/// An axis of the output: its extent and the distance of its neighbours in both arrays, in bytes.
struct Axis {
  int64_t extent, in_step, out_step;
};

struct Plan {
  std::array<Axis, kMaxDims> axes;  // in the order of the output
  int ndim = 0;
  int64_t item;  // bytes that always stay together
};

/// Leaves out axes of extent 1 and joins those that follow one another in both arrays.
Plan simplify(const ConstView& in, const std::array<int, kMaxDims>& order) {
  Plan plan;
  plan.item = item_bytes(in.dtype);
  int64_t out_step = plan.item;
  for (int k = in.shape.ndim - 1; k >= 0; --k) {
    const int axis = order[k];
    const int64_t extent = in.shape[axis];
    if (extent == 1) continue;
    const int64_t in_step = in.shape.volume(axis + 1, in.shape.ndim) * item_bytes(in.dtype);
    Axis* inner = plan.ndim ? &plan.axes[plan.ndim - 1] : nullptr;
    if (!inner && in_step == plan.item) {
      plan.item *= extent;
    } else if (inner && in_step == inner->in_step * inner->extent) {
      inner->extent *= extent;
    } else {
      plan.axes[plan.ndim++] = {extent, in_step, out_step};
    }
    out_step *= extent;
  }
  std::reverse(plan.axes.begin(), plan.axes.begin() + plan.ndim);
  return plan;
}

template <int kItem>
void tile_of(std::byte* out, const std::byte* in, const Axis& a, const Axis& b, int64_t) {
  constexpr int64_t kTile = 32;
  for (int64_t i0 = 0; i0 < a.extent; i0 += kTile)
    for (int64_t j0 = 0; j0 < b.extent; j0 += kTile)
      for (int64_t j = j0; j < std::min(j0 + kTile, b.extent); ++j)
        for (int64_t i = i0; i < std::min(i0 + kTile, a.extent); ++i)
          std::memcpy(out + j * b.out_step + i * a.out_step, in + j * b.in_step + i * a.in_step, kItem);
}

/// The same where the last axis of the output is short: its elements are put together first.
template <typename Element, int kExtent>
void pixels_of(std::byte* out, const std::byte* in, const Axis& a, const Axis& b) {
  for (int64_t j = 0; j < b.extent; ++j) {
    Element pixel[kExtent];
    for (int i = 0; i < kExtent; ++i) std::memcpy(&pixel[i], in + j * b.in_step + i * a.in_step, sizeof(Element));
    std::memcpy(out + j * b.out_step, pixel, sizeof(pixel));
  }
}

template <typename Element>
void pixels_of(std::byte* out, const std::byte* in, const Axis& a, const Axis& b) {
  if (a.extent == 2) pixels_of<Element, 2>(out, in, a, b);
  if (a.extent == 3) pixels_of<Element, 3>(out, in, a, b);
  if (a.extent == 4) pixels_of<Element, 4>(out, in, a, b);
}

void tile_of_any(std::byte* out, const std::byte* in, const Axis& a, const Axis& b, int64_t item) {
  for (int64_t j = 0; j < b.extent; ++j)
    for (int64_t i = 0; i < a.extent; ++i)
      std::memcpy(out + j * b.out_step + i * a.out_step, in + j * b.in_step + i * a.in_step, item);
}

/// Copies the plane of two axes: `a` is the last of the output, `b` the last of the input where there are two.
void tile(std::byte* out, const std::byte* in, const Axis& a, const Axis& b, int64_t item) {
  const bool is_element = item == 1 || item == 2 || item == 4 || item == 8;
  if (is_element && b.extent <= 4 && b.in_step == item && a.in_step == b.extent * item)
    return split_channels(out, b.out_step, in, a.extent, b.extent, item);
  if (is_element && a.extent <= 4 && b.in_step == item && b.out_step == a.extent * item)
    return join_channels(out, in, a.in_step, b.extent, a.extent, item);
  const bool is_short = a.extent >= 2 && a.extent <= 4 && a.out_step == item;
  switch (item) {
    case 1:
      return is_short ? pixels_of<uint8_t>(out, in, a, b) : tile_of<1>(out, in, a, b, item);
    case 2:
      return is_short ? pixels_of<uint16_t>(out, in, a, b) : tile_of<2>(out, in, a, b, item);
    case 3:
      return tile_of<3>(out, in, a, b, item);
    case 4:
      return is_short ? pixels_of<uint32_t>(out, in, a, b) : tile_of<4>(out, in, a, b, item);
    case 8:
      return is_short ? pixels_of<uint64_t>(out, in, a, b) : tile_of<8>(out, in, a, b, item);
    case 12:
      return tile_of<12>(out, in, a, b, item);
    default:
      return tile_of_any(out, in, a, b, item);
  }
}

void walk(std::byte* out, const std::byte* in, const Axis* outer, int count, const Axis& a, const Axis& b,
          int64_t item) {
  if (count == 0) return tile(out, in, a, b, item);
  for (int64_t k = 0; k < outer->extent; ++k)
    walk(out + k * outer->out_step, in + k * outer->in_step, outer + 1, count - 1, a, b, item);
}

}  // namespace

void transpose(View out, ConstView in, const std::array<int, kMaxDims>& order) {
  const int64_t bytes = in.bytes();
  if (bytes == 0) return;
  Plan plan = simplify(in, order);
  if (plan.item == bytes) {
    std::memcpy(out.data, in.data, bytes);
    return;
  }
  const Axis a = plan.axes[--plan.ndim];
  Axis b{1, 0, 0};
  // The axis along which the input is contiguous joins the innermost loops, so that both sides use whole cache lines.
  const auto end = plan.axes.begin() + plan.ndim;
  const auto contiguous = std::find_if(plan.axes.begin(), end, [&](const Axis& x) { return x.in_step == plan.item; });
  if (contiguous != end) {
    b = *contiguous;
    std::copy(contiguous + 1, end, contiguous);
    --plan.ndim;
  }
  walk(out.data, in.data, plan.axes.data(), plan.ndim, a, b, plan.item);
}

}  // namespace penstock
