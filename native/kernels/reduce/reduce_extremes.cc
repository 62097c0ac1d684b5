#include "kernels/reduce/reduce_blocks.h"

namespace penstock::reduce_rules {

template <typename T>
using Least = Extreme<T, true>;
template <typename T>
using Greatest = Extreme<T, false>;

void reduce_to_least(DType dtype, const Reduction& reduction) { reduce_elements<Least>(dtype, reduction); }

void reduce_to_greatest(DType dtype, const Reduction& reduction) { reduce_elements<Greatest>(dtype, reduction); }

}  // namespace penstock::reduce_rules
