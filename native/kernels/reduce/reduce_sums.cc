#include "kernels/reduce/reduce_blocks.h"

namespace penstock::reduce_rules {

/// Only sums of integers are exact.
template <typename T>
using AnySum = std::conditional_t<std::is_floating_point_v<T>, RealSum<T>, Sum<T>>;

void reduce_to_sum(DType dtype, const Reduction& reduction) { reduce_elements<AnySum>(dtype, reduction); }

void reduce_to_real_sum(DType dtype, const Reduction& reduction) { reduce_elements<RealSum>(dtype, reduction); }

}  // namespace penstock::reduce_rules
