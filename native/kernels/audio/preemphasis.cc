#include "kernels/audio/preemphasis.h"

#include <algorithm>
#include <type_traits>

#include "cpu/newest.h"
#include "cpu/vectorize.h"
#include "kernels/elements/convert.h"

namespace penstock {
namespace {

constexpr int64_t kBlock = 1024;

template <typename Real>
PENSTOCK_INLINE inline void subtract_previous(Real* out, const Real* in, Real before, Real coefficient, int64_t n) {
  out[0] = in[0] - coefficient * before;
  PENSTOCK_INDEPENDENT
  for (int64_t i = 1; i < n; ++i) out[i] = in[i] - coefficient * in[i - 1];
}

template <typename Real>
void run(View out, ConstView in, float coefficient, SignalBorder border) {
  constexpr DType kReal = std::is_same_v<Real, double> ? DType::f64 : DType::f32;
  const ConvertRow from = rounding_conversion(kReal, in.dtype), to = rounding_conversion(out.dtype, kReal);
  const int64_t n = in.shape.volume(), in_item = item_bytes(in.dtype), out_item = item_bytes(out.dtype);
  alignas(64) Real given[kBlock], made[kBlock];
  Real before = 0;
  if (border != SignalBorder::zero) {
    const bool second = border == SignalBorder::reflect && n > 1;
    from(reinterpret_cast<std::byte*>(&before), in.data + (second ? in_item : 0), 1);
  }
  for (int64_t done = 0; done < n; done += kBlock) {
    const int64_t count = std::min(kBlock, n - done);
    const Real* block = given;
    if (in.dtype == kReal)
      block = in.as<Real>() + done;
    else
      from(reinterpret_cast<std::byte*>(given), in.data + done * in_item, count);
    const bool direct = out.dtype == kReal;
    newest<subtract_previous<Real>>(direct ? out.as<Real>() + done : made, block, before, coefficient, count);
    before = block[count - 1];
    if (!direct) to(out.data + done * out_item, reinterpret_cast<const std::byte*>(made), count);
  }
}

}  // namespace

void preemphasis(View out, ConstView in, float coefficient, SignalBorder border) {
  if (in.shape.volume() == 0) return;
  if (in.dtype == DType::f64)
    run<double>(out, in, coefficient, border);
  else
    run<float>(out, in, coefficient, border);
}

}  // namespace penstock
