// Philox for many blocks at once, by several kinds of instructions.
#pragma once

#include <cstdint>

#include "cpu/arm_instruction_sets.h"
#include "cpu/instruction_sets.h"
#include "kernels/random/philox.h"

namespace penstock {

/// What PhiloxTiles does, for blocks that share `rounds`. `position` is that of the first word of the first element.
struct PhiloxKernels {
  void (*blocks)(Blocks* blocks, int count, const Rounds& rounds, const uint64_t* index, int n);
  void (*tile)(uint32_t* tile, const Rounds& rounds, uint64_t position, int n, int words);
};

#ifdef PENSTOCK_X86
extern const PhiloxKernels kPhiloxAvx2, kPhiloxAvx512;
#endif
#ifdef PENSTOCK_NEON
/// Blocks with the numbers index[0] to index[n - 1]; `index` has room for kDrawBlocks numbers.
void draw_block_neon(Blocks& words, const Rounds& rounds, const uint64_t* index, int n);
#endif

}  // namespace penstock
