#include "kernels/random/philox.h"

#include <algorithm>

#include "kernels/random/philox_kernels.h"

namespace penstock {
namespace {

constexpr uint64_t low_half(uint64_t wide) { return static_cast<uint32_t>(wide); }

#ifdef PENSTOCK_NEON
constexpr auto draw_block = draw_block_neon;
#else
// The round is the outer loop so that the compiler sees plain arrays and turns the inner one into vector code.
void draw_block(Blocks& words, const Rounds& rounds, const uint64_t* index, int n) {
  auto& [c0, c1, c2, c3] = words;
  for (int i = 0; i < n; ++i) {
    const uint64_t first = low_half(rounds.low + index[i]) * Philox::kFactor0;
    const uint64_t second = (first >> 32 ^ rounds.second2) * Philox::kFactor1;
    c0[i] = static_cast<uint32_t>(second >> 32 ^ rounds.third0);
    c1[i] = static_cast<uint32_t>(second);
    c2[i] = static_cast<uint32_t>(first ^ rounds.third2);
    c3[i] = static_cast<uint32_t>(rounds.third3);
  }
  for (int round = 2; round < Philox::kRounds; ++round) {
    const auto k0 = static_cast<uint32_t>(rounds.key0[round]), k1 = static_cast<uint32_t>(rounds.key1[round]);
    for (int i = 0; i < n; ++i) {
      const uint64_t p0 = uint64_t{c0[i]} * Philox::kFactor0, p1 = uint64_t{c2[i]} * Philox::kFactor1;
      c0[i] = static_cast<uint32_t>(p1 >> 32) ^ c1[i] ^ k0;
      c1[i] = static_cast<uint32_t>(p1);
      c2[i] = static_cast<uint32_t>(p0 >> 32) ^ c3[i] ^ k1;
      c3[i] = static_cast<uint32_t>(p0);
    }
  }
}
#endif

void draw_blocks(Blocks* blocks, int count, const Rounds& rounds, const uint64_t* index, int n) {
  uint64_t next[kDrawBlocks];
  for (int b = 0; b < count; ++b) {
    for (int i = 0; i < n; ++i) next[i] = index[i] + static_cast<uint64_t>(b);
    draw_block(blocks[b], rounds, next, n);
  }
}

void interleave(uint32_t* __restrict to, const uint32_t* const from[4], int n) {
  const uint32_t *a = from[0], *b = from[1], *c = from[2], *d = from[3];
  for (int i = 0; i < n / 4; ++i) {
    to[4 * i] = a[i];
    to[4 * i + 1] = b[i];
    to[4 * i + 2] = c[i];
    to[4 * i + 3] = d[i];
  }
  for (int i = n / 4 * 4; i < n; ++i) to[i] = from[i % 4][i / 4];
}

void draw_tile(uint32_t* tile, const Rounds& rounds, uint64_t position, int n, int words) {
  Blocks blocks[4][(3 + kMostWords + 3) / 4];
  uint64_t index[kDrawBlocks];
  int start[4] = {};
  // 257 is 1 modulo 4: every fourth element starts at the same word of its block.
  for (int remainder = 0; remainder < std::min(n, 4); ++remainder, position += kWordsBetweenElements) {
    start[remainder] = static_cast<int>(position % 4);
    for (int i = 0; i < kDrawBlocks; ++i) index[i] = position / 4 + kWordsBetweenElements * static_cast<uint64_t>(i);
    draw_blocks(blocks[remainder], (start[remainder] + words + 3) / 4, rounds, index, (n - remainder + 3) / 4);
  }
  for (int w = 0; w < words; ++w) {
    const uint32_t* from[4];
    for (int remainder = 0; remainder < 4; ++remainder) {
      const int word = start[remainder] + w;
      from[remainder] = blocks[remainder][word / 4][word % 4];
    }
    interleave(tile + w * kDrawTile, from, n);
  }
}

constexpr PhiloxKernels kPortable{draw_blocks, draw_tile};

const PhiloxKernels& kernels() {
#ifdef PENSTOCK_X86
  return kHasAvx512 ? kPhiloxAvx512 : kHasAvx2 ? kPhiloxAvx2 : kPortable;
#else
  return kPortable;
#endif
}

}  // namespace

Rounds::Rounds(const Philox& sequence, uint64_t block) : low(sequence.low), upper((sequence.low + block) >> 32) {
  uint32_t k0 = static_cast<uint32_t>(sequence.key), k1 = static_cast<uint32_t>(sequence.key >> 32);
  for (int round = 0; round < Philox::kRounds; ++round, k0 += Philox::kBump0, k1 += Philox::kBump1) {
    key0[round] = k0;
    key1[round] = k1;
  }
  const uint64_t carried = sequence.high + (low + block < low), first1 = low_half(carried) * Philox::kFactor1;
  const uint64_t second0 = (first1 >> 32 ^ upper ^ key0[0]) * Philox::kFactor0;
  second2 = carried >> 32 ^ key1[0];
  third0 = low_half(first1) ^ key0[1];
  third2 = second0 >> 32 ^ key1[1];
  third3 = low_half(second0);
}

const Rounds& PhiloxTiles::rounds_of(uint64_t block) {
  if (!rounds_ || rounds_->upper != (sequence_.low + block) >> 32) rounds_.emplace(sequence_, block);
  return *rounds_;
}

void PhiloxTiles::read(uint32_t* tile, int64_t first, int n, int words) {
  constexpr int kFew = 8;  // are faster drawn one by one
  const uint64_t position = sequence_.phase + kWordsBetweenElements * static_cast<uint64_t>(first);
  const uint64_t end = position + kWordsBetweenElements * static_cast<uint64_t>(n);
  if (n > kFew && elements_ == Elements::of_one_sample &&
      (sequence_.low + position / 4) >> 32 == (sequence_.low + end / 4) >> 32)
    return kernels().tile(tile, rounds_of(position / 4), position, n, words);
  for (int i = 0; i < n; ++i) {
    PhiloxReader next = reader(first + i);
    for (int w = 0; w < words; ++w) tile[w * kDrawTile + i] = next();
  }
}

void PhiloxTiles::read_blocks(Blocks* blocks, int count, const uint64_t* index, int n) {
  uint64_t difference = 0;
  for (int i = 0; i < n; ++i) {
    const uint64_t first = sequence_.low + index[i], last = first + static_cast<uint64_t>(count - 1);
    difference |= (first ^ (sequence_.low + index[0])) | (last ^ first);
  }
  if (difference >> 32 == 0) return kernels().blocks(blocks, count, rounds_of(index[0]), index, n);
  for (int b = 0; b < count; ++b)
    for (int i = 0; i < n; ++i) {
      const Philox::Words words = sequence_.block(index[i] + static_cast<uint64_t>(b));
      for (int w = 0; w < 4; ++w) blocks[b][w][i] = words[w];
    }
}

}  // namespace penstock
