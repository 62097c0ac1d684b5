#include "codecs/jpeg/reduced_idct.h"

#if defined(PENSTOCK_JPEG_VECTORS) && !defined(PENSTOCK_X86)
#include <cstring>

#include "cpu/vectorize.h"

namespace penstock {
namespace {

// In fractions of 13 bits, of which the first pass keeps two.
constexpr int kReducedFraction = 13, kReducedKept = 2;
constexpr int32_t k0_720 = 5906, k0_850 = 6967, k1_272 = 10426, k3_624 = 29692;

// What coefficients 1, 3, 5 and 7 of a row or column add to its first sample and take from its second. Sums of unsigned
// numbers: they may wrap.
PENSTOCK_INLINE inline uint32_t odd_columns(int32_t x1, int32_t x3, int32_t x5, int32_t x7) {
  return static_cast<uint32_t>(x1 * k3_624 - x3 * k1_272) + static_cast<uint32_t>(x5 * k0_850 - x7 * k0_720);
}

PENSTOCK_INLINE inline uint32_t even_columns(int32_t x) { return static_cast<uint32_t>(x) << (kReducedFraction + 2); }

template <int kDropped>
PENSTOCK_INLINE inline int32_t rounded_shift(uint32_t x) {
  return static_cast<int32_t>(x + (1u << (kDropped - 1))) >> kDropped;
}

PENSTOCK_INLINE inline int32_t to_int16(int32_t x) { return std::clamp(x, -32768, 32767); }

PENSTOCK_INLINE inline uint8_t sample_of(int32_t x) {
  return static_cast<uint8_t>(std::clamp(x, -CENTERJSAMPLE, CENTERJSAMPLE - 1) + CENTERJSAMPLE);
}

// Columns 2, 4 and 6 are not needed, but vectors have them.
inline void make_2x2(const InverseDct& block) {
  int32_t columns[2][DCTSIZE];
  const JCOEF* const coefficients = block.coefficients;
  const int16_t* const factors = block.factors;
  for (int x = 0; x < DCTSIZE; ++x) {
    const auto scaled = [&](int y) PENSTOCK_INLINE {
      return static_cast<int16_t>(coefficients[y * DCTSIZE + x] * factors[y * DCTSIZE + x]);
    };
    const uint32_t even = even_columns(scaled(0)), odd = odd_columns(scaled(1), scaled(3), scaled(5), scaled(7));
    columns[0][x] = rounded_shift<kReducedFraction - kReducedKept + 2>(even + odd);
    columns[1][x] = rounded_shift<kReducedFraction - kReducedKept + 2>(even - odd);
  }
  std::memset(block.coefficients, 0, DCTSIZE2 * sizeof(JCOEF));
  for (int y = 0; y < 2; ++y) {
    const int32_t* const x = columns[y];
    const uint32_t even = even_columns(x[0]);
    const uint32_t odd = odd_columns(to_int16(x[1]), to_int16(x[3]), to_int16(x[5]), to_int16(x[7]));
    constexpr int kDropped = kReducedFraction + kReducedKept + 3 + 2;
    block.samples[y * block.stride] = sample_of(rounded_shift<kDropped>(even + odd));
    block.samples[y * block.stride + 1] = sample_of(rounded_shift<kDropped>(even - odd));
  }
}

}  // namespace

void inverse_dct_2x2(const InverseDct* blocks, int count) {
  for (int i = 0; i < count; ++i) make_2x2(blocks[i]);
}

}  // namespace penstock
#endif
