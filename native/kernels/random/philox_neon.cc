#include "cpu/arm_instruction_sets.h"

#ifdef PENSTOCK_NEON

#include <arm_neon.h>

#include "kernels/random/philox_kernels.h"

namespace penstock {
namespace {

/// The halves of the products of 32-bit numbers.
struct Product {
  uint32x4_t low, high;

  Product(uint32x4_t a, uint32_t factor) {
    const uint32x4_t first = vreinterpretq_u32_u64(vmull_n_u32(vget_low_u32(a), factor));
    const uint32x4_t second = vreinterpretq_u32_u64(vmull_high_n_u32(a, factor));
    low = vuzp1q_u32(first, second);
    high = vuzp2q_u32(first, second);
  }
};

}  // namespace

// Four blocks at a time, as many as words are in a vector.
void draw_block_neon(Blocks& words, const Rounds& rounds, const uint64_t* index, int n) {
  const auto all = [](uint64_t value) { return vdupq_n_u32(static_cast<uint32_t>(value)); };
  for (int i = 0; i < n; i += 4) {
    const auto* numbers = reinterpret_cast<const uint32_t*>(index + i);
    const uint32x4_t number = vaddq_u32(vld2q_u32(numbers).val[0], all(rounds.low));
    const Product first(number, Philox::kFactor0);
    const Product second(veorq_u32(first.high, all(rounds.second2)), Philox::kFactor1);
    uint32x4_t c0 = veorq_u32(second.high, all(rounds.third0)), c1 = second.low;
    uint32x4_t c2 = veorq_u32(first.low, all(rounds.third2)), c3 = all(rounds.third3);
    for (int round = 2; round < Philox::kRounds; ++round) {
      const Product p0(c0, Philox::kFactor0), p1(c2, Philox::kFactor1);
      c0 = veorq_u32(veorq_u32(p1.high, c1), all(rounds.key0[round]));
      c1 = p1.low;
      c2 = veorq_u32(veorq_u32(p0.high, c3), all(rounds.key1[round]));
      c3 = p0.low;
    }
    vst1q_u32(words[0] + i, c0);
    vst1q_u32(words[1] + i, c1);
    vst1q_u32(words[2] + i, c2);
    vst1q_u32(words[3] + i, c3);
  }
}

}  // namespace penstock

#endif
