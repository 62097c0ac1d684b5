#include "kernels/reduce/reduce.h"

#include "kernels/reduce/reduce_blocks.h"

namespace penstock {

DType accumulated_dtype(Accumulation accumulation, DType element) {
  if (accumulation == Accumulation::least || accumulation == Accumulation::greatest) return element;
  if (accumulation != Accumulation::sum || element == DType::f32) return DType::f64;
  const bool is_signed = element >= DType::i8 && element <= DType::i64;
  return is_signed ? DType::i64 : DType::u64;
}

void reduce_axes(View out, Accumulation accumulation, ConstView in, unsigned mask, const float* centre) {
  const reduce_rules::Blocks blocks(in.shape, mask);
  const reduce_rules::Reduction reduction{out.data, out.shape.volume(), in.data, centre,
                                          in.shape.volume() ? &blocks : nullptr};
  switch (accumulation) {
    case Accumulation::sum:
      return reduce_rules::reduce_to_sum(in.dtype, reduction);
    case Accumulation::real_sum:
      return reduce_rules::reduce_to_real_sum(in.dtype, reduction);
    case Accumulation::squares:
      return reduce_rules::reduce_to_squares(in.dtype, reduction);
    case Accumulation::deviations:
      return reduce_rules::reduce_to_deviations(in.dtype, reduction);
    case Accumulation::least:
      return reduce_rules::reduce_to_least(in.dtype, reduction);
    case Accumulation::greatest:
      return reduce_rules::reduce_to_greatest(in.dtype, reduction);
  }
}

}  // namespace penstock
