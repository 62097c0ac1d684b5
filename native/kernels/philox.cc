#include "kernels/philox.h"

#include <algorithm>
#include <cstring>

#include "kernels/clones.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define PENSTOCK_AVX512 __attribute__((target("avx512f")))
#include <immintrin.h>
#endif

namespace penstock {
namespace {

// The round is the outer loop so that the compiler sees plain arrays and turns the inner one into vector code.
PENSTOCK_CLONES void draw_portably(Blocks& words, const Philox& sequence, const uint64_t* index, int n) {
  auto& [c0, c1, c2, c3] = words;
  for (int i = 0; i < n; ++i) {
    const uint64_t position = sequence.low + index[i];
    const uint64_t carried = sequence.high + (position < sequence.low);
    c0[i] = static_cast<uint32_t>(position);
    c1[i] = static_cast<uint32_t>(position >> 32);
    c2[i] = static_cast<uint32_t>(carried);
    c3[i] = static_cast<uint32_t>(carried >> 32);
  }
  uint32_t k0 = static_cast<uint32_t>(sequence.key), k1 = static_cast<uint32_t>(sequence.key >> 32);
  for (int round = 0; round < Philox::kRounds; ++round, k0 += Philox::kBump0, k1 += Philox::kBump1)
    for (int i = 0; i < n; ++i) {
      const uint64_t p0 = uint64_t{c0[i]} * Philox::kFactor0, p1 = uint64_t{c2[i]} * Philox::kFactor1;
      c0[i] = static_cast<uint32_t>(p1 >> 32) ^ c1[i] ^ k0;
      c1[i] = static_cast<uint32_t>(p1);
      c2[i] = static_cast<uint32_t>(p0 >> 32) ^ c3[i] ^ k1;
      c3[i] = static_cast<uint32_t>(p0);
    }
}

#ifdef PENSTOCK_AVX512
using Wide = uint64_t __attribute__((vector_size(64)));
using Narrow = uint32_t __attribute__((vector_size(32)));

// The product of the low halves, an instruction the compiler does not find by itself.
PENSTOCK_AVX512 inline Wide product(Wide a, Wide b) {
  return reinterpret_cast<Wide>(
      _mm512_maskz_mul_epu32(0xff, reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
}

PENSTOCK_AVX512 inline void store(uint32_t* out, Wide lanes) {
  const Narrow low_halves = __builtin_convertvector(lanes, Narrow);
  std::memcpy(out, &low_halves, sizeof(Narrow));
}

// The same eight blocks at a time, in registers: a third less time. Whatever is in the high halves is ignored.
PENSTOCK_AVX512 void draw_avx512(Blocks& words, const Philox& sequence, const uint64_t* index, int n) {
  const Wide zero{}, factor0 = zero + Philox::kFactor0, factor1 = zero + Philox::kFactor1;
  for (int i = 0; i < n; i += 8) {
    Wide position;
    std::memcpy(&position, index + i, sizeof(Wide));
    position += sequence.low;
    const Wide carried = sequence.high - reinterpret_cast<Wide>(position < sequence.low);
    Wide c0 = position, c1 = position >> 32, c2 = carried, c3 = carried >> 32;
    uint32_t k0 = static_cast<uint32_t>(sequence.key), k1 = static_cast<uint32_t>(sequence.key >> 32);
    for (int round = 0; round < Philox::kRounds; ++round, k0 += Philox::kBump0, k1 += Philox::kBump1) {
      const Wide p0 = product(c0, factor0), p1 = product(c2, factor1);
      c0 = p1 >> 32 ^ c1 ^ static_cast<uint64_t>(k0);
      c1 = p1;
      c2 = p0 >> 32 ^ c3 ^ static_cast<uint64_t>(k1);
      c3 = p0;
    }
    store(words[0] + i, c0);
    store(words[1] + i, c1);
    store(words[2] + i, c2);
    store(words[3] + i, c3);
  }
}

const auto draw = __builtin_cpu_supports("avx512f") ? draw_avx512 : draw_portably;
#else
constexpr auto draw = draw_portably;
#endif

PENSTOCK_CLONES void interleave(uint32_t* __restrict to, const uint32_t* const from[4], int n) {
  const uint32_t *a = from[0], *b = from[1], *c = from[2], *d = from[3];
  for (int i = 0; i < n / 4; ++i) {
    to[4 * i] = a[i];
    to[4 * i + 1] = b[i];
    to[4 * i + 2] = c[i];
    to[4 * i + 3] = d[i];
  }
  for (int i = n / 4 * 4; i < n; ++i) to[i] = from[i % 4][i / 4];
}

}  // namespace

void draw_blocks(Blocks& blocks, const Philox& sequence, const uint64_t* index, int n) {
  draw(blocks, sequence, index, n);
}

void draw_tile(uint32_t* tile, const Philox& sequence, int64_t first, int n, int words) {
  Blocks blocks[4][(3 + kMostWords + 3) / 4];
  uint64_t index[kDrawBlocks];
  int start[4] = {};
  // 257 is 1 modulo 4: every fourth element starts at the same word of its block.
  for (int remainder = 0; remainder < std::min(n, 4); ++remainder) {
    const uint64_t position = sequence.phase + kWordsBetweenElements * static_cast<uint64_t>(first + remainder);
    start[remainder] = static_cast<int>(position % 4);
    for (int b = 0; 4 * b < start[remainder] + words; ++b) {
      for (int i = 0; i < kDrawBlocks; ++i)
        index[i] = position / 4 + static_cast<uint64_t>(b) + kWordsBetweenElements * static_cast<uint64_t>(i);
      draw(blocks[remainder][b], sequence, index, (n - remainder + 3) / 4);
    }
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

}  // namespace penstock
