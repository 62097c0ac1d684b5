#include "kernels/color/lookup.h"

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "cpu/prefetch.h"
#include "cpu/vectorize.h"
#include "kernels/bytes/channels.h"
#include "kernels/elements/convert.h"

#ifdef PENSTOCK_X86
#include <immintrin.h>
#endif

namespace penstock {
namespace {

constexpr int64_t kLevels = 256;

#ifdef PENSTOCK_X86
// A shuffle looks 16 entries up by the low bits of a byte, and gives 0 if its top bit is set. Each shuffle is of the
// difference from the 16 entries before; 16 less every time, so that a byte takes part until it has reached its own.
PENSTOCK_AVX2 int64_t look_up_wide(uint8_t* out, const uint8_t* in, int64_t n, const uint8_t* table) {
  __m256i steps[16];
  for (int k = 0; k < 16; ++k) {
    const __m128i own = _mm_loadu_si128(reinterpret_cast<const __m128i*>(table + 16 * k));
    const __m128i before = _mm_loadu_si128(reinterpret_cast<const __m128i*>(table + 16 * (k - (k % 8 != 0))));
    steps[k] = _mm256_broadcastsi128_si256(k % 8 ? _mm_xor_si128(own, before) : own);
  }
  const __m256i less = _mm256_set1_epi8(16), top = _mm256_set1_epi8(-128);
  int64_t i = 0;
  for (; i + 32 <= n; i += 32) {
    prefetch_later(in + i, out + i);
    __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + i)), high = _mm256_xor_si256(low, top);
    __m256i found = _mm256_setzero_si256();
    for (int k = 0; k < 8; ++k) {
      found = _mm256_xor_si256(found, _mm256_shuffle_epi8(steps[k], low));
      found = _mm256_xor_si256(found, _mm256_shuffle_epi8(steps[k + 8], high));
      low = _mm256_subs_epi8(low, less);
      high = _mm256_subs_epi8(high, less);
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), found);
  }
  return i;
}
#endif

template <typename Entry>
void look_up_full(Entry* out, const uint8_t* in, int64_t n, const Entry* table, int64_t entries, Entry other) {
  Entry full[256];
  std::fill(std::copy_n(table, std::min<int64_t>(entries, 256), full), std::end(full), other);
  if constexpr (sizeof(Entry) == 1)
    look_up_bytes(out, in, n, full);
  else
    for (int64_t i = 0; i < n; ++i) out[i] = full[in[i]];
}

template <typename Entry, typename Key>
void look_up_keys(Entry* out, const Key* in, int64_t n, const Entry* table, int64_t entries, Entry other) {
  for (int64_t i = 0; i < n; ++i) {
    const auto key = static_cast<uint64_t>(static_cast<int64_t>(in[i]));  // negative keys are beyond every table
    out[i] = key < static_cast<uint64_t>(entries) ? table[key] : other;
  }
}

template <typename Entry>
void look_up(View out, ConstView in, const std::byte* table, int64_t entries, const std::byte* other) {
  const auto* rows = reinterpret_cast<const Entry*>(table);
  const Entry none = *reinterpret_cast<const Entry*>(other);
  const int64_t n = in.shape.volume();
  if (in.dtype == DType::u8) return look_up_full(out.as<Entry>(), in.as<uint8_t>(), n, rows, entries, none);
  visit(in.dtype, [&]<typename Key>() {
    if constexpr (std::is_integral_v<Key>)
      look_up_keys(out.as<Entry>(), in.as<Key>(), n, rows, entries, none);
    else
      throw std::invalid_argument("only whole numbers are looked up");
  });
}

}  // namespace

void look_up_bytes(uint8_t* out, const uint8_t* in, int64_t n, const uint8_t* table) {
  int64_t i = 0;
#ifdef PENSTOCK_X86
  if (kHasAvx2) i = look_up_wide(out, in, n, table);
#endif
  for (; i < n; ++i) out[i] = table[in[i]];
}

void look_up_channels(uint8_t* out, const uint8_t* in, int64_t pixels, int64_t channels, const uint8_t* tables) {
  if (channels != 3) {
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t i = c; i < pixels * channels; i += channels) out[i] = tables[c * kLevels + in[i]];
    return;
  }
  constexpr int64_t kBlock = 1024;
  uint8_t planes[3][kBlock];
  auto* bytes = reinterpret_cast<std::byte*>(planes);
  for (int64_t i = 0; i < pixels; i += kBlock) {
    const int64_t count = std::min(kBlock, pixels - i);
    split_channels(bytes, kBlock, reinterpret_cast<const std::byte*>(in + 3 * i), count, 3, 1);
    for (int c = 0; c < 3; ++c) look_up_bytes(planes[c], planes[c], count, tables + c * kLevels);
    join_channels(reinterpret_cast<std::byte*>(out + 3 * i), bytes, kBlock, count, 3, 1);
  }
}

void look_up(View out, ConstView in, const std::byte* table, int64_t entries, const std::byte* other) {
  switch (item_bytes(out.dtype)) {
    case 1:
      return look_up<uint8_t>(out, in, table, entries, other);
    case 2:
      return look_up<uint16_t>(out, in, table, entries, other);
    case 4:
      return look_up<uint32_t>(out, in, table, entries, other);
    default:
      return look_up<uint64_t>(out, in, table, entries, other);
  }
}

}  // namespace penstock
