// One body compiled for vectors of 4, 8 and 16 floats, the widest of which is chosen at run time. No FMA: products and
// sums round separately in all of them, so the results are the same bit for bit.
#pragma once

#include "cpu/instruction_sets.h"

namespace penstock {

#ifdef PENSTOCK_X86
template <typename Body>
PENSTOCK_AVX512 void run_vectors_avx512(Body body) {
  body.template operator()<16>();
}

template <typename Body>
PENSTOCK_AVX2 void run_vectors_avx2(Body body) {
  body.template operator()<8>();
}

template <typename Body>
[[gnu::noinline]] void run_vectors_baseline(Body body) {
  body.template operator()<4>();
}

/// Runs `body`, a lambda marked PENSTOCK_INLINE that captures by value and whose parameter is the number of floats in a
/// vector, for the widest vectors there are: for what is written with vectors because they have to stay in registers.
template <typename Body>
void run_vectors(Body body) {
  kHasAvx512 ? run_vectors_avx512(body) : kHasAvx2 ? run_vectors_avx2(body) : run_vectors_baseline(body);
}
#else
template <typename Body>
void run_vectors(Body body) {
  body.template operator()<4>();
}
#endif

}  // namespace penstock
