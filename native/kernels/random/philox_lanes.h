// Philox in vectors of 64-bit lanes, one block to a lane; the high halves of the lanes hold nothing of interest.
// Included by one file for each kind of processor, which defines PENSTOCK_LANES, what to compile for, before, and
//   Lanes           a vector of uint64_t
//   product(a, b)   the products of the low halves
//   zip(out, a, b)  a[0], b[0], a[1], ... in two vectors
#pragma once

#include <cstring>

#include "kernels/random/philox_kernels.h"

namespace penstock {
namespace {

constexpr int kLanes = sizeof(Lanes) / sizeof(uint64_t);

PENSTOCK_LANES inline void run_rounds(Lanes (&c)[4], Lanes number, const Rounds& rounds) {
  const Lanes zero{}, factor0 = zero + Philox::kFactor0, factor1 = zero + Philox::kFactor1;
  const Lanes first = product(number, factor0), second = product(first >> 32 ^ rounds.second2, factor1);
  c[0] = second >> 32 ^ rounds.third0;
  c[1] = second;
  c[2] = first ^ rounds.third2;
  c[3] = zero + rounds.third3;
  for (int round = 2; round < Philox::kRounds; ++round) {
    const Lanes p0 = product(c[0], factor0), p1 = product(c[2], factor1);
    c[0] = p1 >> 32 ^ c[1] ^ rounds.key0[round];
    c[1] = p1;
    c[2] = p0 >> 32 ^ c[3] ^ rounds.key1[round];
    c[3] = p0;
  }
}

/// Words of kLanes elements, in blocks from `number` on, the first of which they begin with word kStart of.
template <int kStart, int kWords>
PENSTOCK_LANES inline void draw_words(Lanes (&words)[kWords], Lanes number, const Rounds& rounds) {
  for (int block = 0; 4 * block < kStart + kWords; ++block) {
    Lanes c[4];
    run_rounds(c, number + static_cast<uint64_t>(block), rounds);
    for (int i = 0; i < 4; ++i) {
      const int word = 4 * block + i - kStart;
      if (word >= 0 && word < kWords) words[word] = c[i];
    }
  }
}

/// a[0], b[0], c[0], d[0], a[1], ... in 32 bits each.
PENSTOCK_LANES inline void interleave(uint32_t* out, Lanes a, Lanes b, Lanes c, Lanes d) {
  Lanes interleaved[2];
  zip(interleaved, (a & 0xffffffff) | b << 32, (c & 0xffffffff) | d << 32);
  std::memcpy(out, interleaved, sizeof(interleaved));
}

template <int kWords>
PENSTOCK_LANES void draw_tile_of(uint32_t* tile, const Rounds& rounds, uint64_t position, int n) {
  Lanes steps;
  for (int i = 0; i < kLanes; ++i) steps[i] = kWordsBetweenElements * static_cast<uint64_t>(i) + rounds.low;
  // Four elements in a row begin with different words of their blocks: the step between them is 1 modulo 4.
  uint64_t element[4];
  for (uint64_t i = 0; i < 4; ++i) element[(position + i) % 4] = i;
  for (int first = 0; first < n; first += 4 * kLanes, position += 4 * kLanes * kWordsBetweenElements) {
    Lanes words[4][kWords], numbers[4];
    for (int start = 0; start < 4; ++start)
      numbers[start] = (position + element[start] * kWordsBetweenElements) / 4 + steps;
    draw_words<0>(words[element[0]], numbers[0], rounds);
    draw_words<1>(words[element[1]], numbers[1], rounds);
    draw_words<2>(words[element[2]], numbers[2], rounds);
    draw_words<3>(words[element[3]], numbers[3], rounds);
    for (int w = 0; w < kWords; ++w)
      interleave(tile + w * kDrawTile + first, words[0][w], words[1][w], words[2][w], words[3][w]);
  }
}

PENSTOCK_LANES void draw_tile(uint32_t* tile, const Rounds& rounds, uint64_t position, int n, int words) {
  switch (words) {
    case 1:
      return draw_tile_of<1>(tile, rounds, position, n);
    case 2:
      return draw_tile_of<2>(tile, rounds, position, n);
    case 4:
      return draw_tile_of<4>(tile, rounds, position, n);
    case 8:
      return draw_tile_of<8>(tile, rounds, position, n);
    default:
      return draw_tile_of<16>(tile, rounds, position, n);
  }
}

PENSTOCK_LANES void draw_blocks(Blocks* blocks, int count, const Rounds& rounds, const uint64_t* index, int n) {
  using Halves = uint32_t __attribute__((vector_size(sizeof(Lanes) / 2)));
  for (int i = 0; i < n; i += kLanes) {
    Lanes number, c[4];
    std::memcpy(&number, index + i, sizeof(Lanes));
    for (int b = 0; b < count; ++b) {
      run_rounds(c, number + (rounds.low + static_cast<uint64_t>(b)), rounds);
      for (int w = 0; w < 4; ++w) {
        const Halves low_halves = __builtin_convertvector(c[w], Halves);
        std::memcpy(blocks[b][w] + i, &low_halves, sizeof(Halves));
      }
    }
  }
}

}  // namespace
}  // namespace penstock
