#include "kernels/elements/cast_step.h"

#include <algorithm>

#include "kernels/bytes/stream.h"
#include "kernels/elements/convert.h"

namespace penstock {

void Cast::run(size_t, View out, ConstView in, Scratch& scratch) const {
  const int64_t n = in.shape.volume(), from = item_bytes(in.dtype), to = item_bytes(out.dtype);
  const ConvertRow convert = rounding_conversion(out.dtype, in.dtype);
  if (!scratch.past_caches) return convert(out.data, in.data, n);
  if (out.dtype == in.dtype) {
    stream(out.data, in.data, n * to);
  } else {
    constexpr int64_t kElements = 1024;
    std::byte* made = scratch.bytes(kStepTemp, kElements * to);
    for (int64_t i = 0; i < n; i += kElements) {
      const int64_t count = std::min(kElements, n - i);
      convert(made, in.data + i * from, count);
      stream(out.data + i * to, made, count * to);
    }
  }
  finish_streams();
}

}  // namespace penstock
