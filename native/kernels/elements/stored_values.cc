#include "kernels/elements/stored_values.h"

#include <limits>
#include <utility>

#include "cpu/newest.h"
#include "kernels/elements/convert.h"

namespace penstock {
namespace {

PENSTOCK_INLINE inline uint16_t swapped(uint16_t word) { return __builtin_bswap16(word); }
PENSTOCK_INLINE inline uint32_t swapped(uint32_t word) { return __builtin_bswap32(word); }
PENSTOCK_INLINE inline uint64_t swapped(uint64_t word) { return __builtin_bswap64(word); }

template <typename Word>
PENSTOCK_INLINE inline void swap_words(std::byte* elements, int64_t n) {
  Word* words = reinterpret_cast<Word*>(elements);
  for (int64_t i = 0; i < n; ++i) words[i] = swapped(words[i]);
}

template <typename Word>
PENSTOCK_INLINE inline void flip_words(std::byte* elements, int64_t n) {
  Word* words = reinterpret_cast<Word*>(elements);
  constexpr Word kTopBit = static_cast<Word>(Word{1} << (8 * sizeof(Word) - 1));
  for (int64_t i = 0; i < n; ++i) words[i] ^= kTopBit;
}

template <typename To, typename From>
void scale_row(To* out, const From* in, int64_t n, double scale, double zero, std::optional<int64_t> blank) {
  for (int64_t i = 0; i < n; ++i) out[i] = static_cast<To>(zero + scale * static_cast<double>(in[i]));
  if constexpr (std::is_integral_v<From>)
    for (int64_t i = 0; blank && i < n; ++i)
      if (std::cmp_equal(in[i], *blank)) out[i] = std::numeric_limits<To>::quiet_NaN();
}

}  // namespace

void swap_bytes(std::byte* elements, int64_t item, int64_t n) {
  if (item == 2) newest<swap_words<uint16_t>>(elements, n);
  if (item == 4) newest<swap_words<uint32_t>>(elements, n);
  if (item == 8) newest<swap_words<uint64_t>>(elements, n);
}

void flip_signs(std::byte* elements, int64_t item, int64_t n) {
  if (item == 1) newest<flip_words<uint8_t>>(elements, n);
  if (item == 2) newest<flip_words<uint16_t>>(elements, n);
  if (item == 4) newest<flip_words<uint32_t>>(elements, n);
  if (item == 8) newest<flip_words<uint64_t>>(elements, n);
}

void scale_values(std::byte* out, DType to, const std::byte* in, DType from, int64_t n, double scale, double zero,
                  std::optional<int64_t> blank) {
  visit(from, [&]<typename From>() {
    if constexpr (std::is_arithmetic_v<From>) {
      const From* values = reinterpret_cast<const From*>(in);
      if (to == DType::f32)
        scale_row(reinterpret_cast<float*>(out), values, n, scale, zero, blank);
      else
        scale_row(reinterpret_cast<double*>(out), values, n, scale, zero, blank);
    }
  });
}

}  // namespace penstock
