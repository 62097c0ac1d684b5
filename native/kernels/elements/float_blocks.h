// Elements of any type worked on as floats, a block at a time so that they stay in the cache.
#pragma once

#include <algorithm>

#include "kernels/elements/convert.h"

namespace penstock {

/// Elements in a block: whole pixels of three channels.
constexpr int64_t kFloatBlock = 3 * 512;

/// Calls `body(to, from, count)` for the elements from `done` on. Results are rounded and saturated to the type of
/// `out`; `to` and `from` may be the same.
template <typename Body>
void in_float_blocks(View out, ConstView in, int64_t done, Body&& body) {
  const ConvertRow from = rounding_conversion(DType::f32, in.dtype), to = rounding_conversion(out.dtype, DType::f32);
  const bool reads_floats = in.dtype == DType::f32, writes_floats = out.dtype == DType::f32;
  alignas(64) float block[kFloatBlock];
  auto* bytes = reinterpret_cast<std::byte*>(block);
  for (const int64_t n = in.shape.volume(); done < n; done += kFloatBlock) {
    const int64_t count = std::min(kFloatBlock, n - done);
    if (!reads_floats) from(bytes, in.data + done * item_bytes(in.dtype), count);
    body(writes_floats ? out.as<float>() + done : block, reads_floats ? in.as<float>() + done : block, count);
    if (!writes_floats) to(out.data + done * item_bytes(out.dtype), bytes, count);
  }
}

}  // namespace penstock
