#include "kernels/reduce/reduce_blocks.h"

namespace penstock::reduce_rules {

void reduce_to_squares(DType dtype, const Reduction& reduction) { reduce_elements<Squares>(dtype, reduction); }

void reduce_to_deviations(DType dtype, const Reduction& reduction) { reduce_elements<Deviations>(dtype, reduction); }

}  // namespace penstock::reduce_rules
