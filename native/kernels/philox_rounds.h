// The rounds of Philox for many blocks at once. Included by philox.cc and by what it chooses from only.
#pragma once

#include <cstdint>

#include "kernels/philox.h"
#include "kernels/simd.h"

namespace penstock {

/// Blocks whose numbers differ in the lowest of their four words only: of the first two rounds they share a half.
struct Rounds {
  Rounds(const Philox& sequence, uint64_t block);

  uint64_t low;             // what is added to the number of a block
  uint64_t second2;         // after the first round: what makes word 2 of the high half of the product
  uint64_t third0, third2;  // after the second: what is added to words 0 and 2
  uint64_t third3;          // and word 3
  uint64_t key0[Philox::kRounds], key1[Philox::kRounds];
};

/// Ways to do the same: see draw_blocks and draw_tile. `position` is that of the first word of the first element.
struct PhiloxKernels {
  void (*blocks)(Blocks& blocks, const Rounds& rounds, const uint64_t* index, int n);
  void (*tile)(uint32_t* tile, const Rounds& rounds, uint64_t position, int n, int words);
};

#ifdef PENSTOCK_X86
extern const PhiloxKernels kPhiloxAvx2, kPhiloxAvx512;
#endif

}  // namespace penstock
