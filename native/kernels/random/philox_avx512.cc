#include "cpu/instruction_sets.h"

#ifdef PENSTOCK_X86

#include <immintrin.h>

#include <cstdint>

#define PENSTOCK_LANES PENSTOCK_AVX512

namespace penstock {
namespace {

using Lanes = uint64_t __attribute__((vector_size(64)));

PENSTOCK_LANES inline Lanes product(Lanes a, Lanes b) {
  return reinterpret_cast<Lanes>(
      _mm512_maskz_mul_epu32(0xff, reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
}

PENSTOCK_LANES inline void zip(Lanes (&out)[2], Lanes a, Lanes b) {
  out[0] = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
  out[1] = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

}  // namespace
}  // namespace penstock

#include "kernels/random/philox_lanes.h"

namespace penstock {

const PhiloxKernels kPhiloxAvx512{draw_blocks, draw_tile};

}  // namespace penstock

#endif
