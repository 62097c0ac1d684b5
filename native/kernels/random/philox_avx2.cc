#include "cpu/instruction_sets.h"

#ifdef PENSTOCK_X86

#include <immintrin.h>

#include <cstdint>

#define PENSTOCK_LANES PENSTOCK_AVX2

namespace penstock {
namespace {

using Lanes = uint64_t __attribute__((vector_size(32)));

PENSTOCK_LANES inline Lanes product(Lanes a, Lanes b) {
  return reinterpret_cast<Lanes>(_mm256_mul_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
}

PENSTOCK_LANES inline void zip(Lanes (&out)[2], Lanes a, Lanes b) {
  out[0] = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  out[1] = __builtin_shufflevector(a, b, 2, 6, 3, 7);
}

}  // namespace
}  // namespace penstock

#include "kernels/random/philox_lanes.h"

namespace penstock {

const PhiloxKernels kPhiloxAvx2{draw_blocks, draw_tile};

}  // namespace penstock

#endif
