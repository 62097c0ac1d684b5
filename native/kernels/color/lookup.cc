#include "kernels/color/lookup.h"

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "kernels/bytes/channels.h"
#include "kernels/color/byte_levels.h"
#include "kernels/color/lookup_avx2.h"
#include "kernels/color/lookup_neon.h"
#include "kernels/elements/convert.h"

namespace penstock {
namespace {

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
void look_up_elements(View out, ConstView in, const std::byte* table, int64_t entries, const std::byte* other) {
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
  if (kHasAvx2) i = look_up_bytes_avx2(out, in, n, table);
#elif defined(PENSTOCK_NEON)
  i = look_up_bytes_neon(out, in, n, table);
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
      return look_up_elements<uint8_t>(out, in, table, entries, other);
    case 2:
      return look_up_elements<uint16_t>(out, in, table, entries, other);
    case 4:
      return look_up_elements<uint32_t>(out, in, table, entries, other);
    default:
      return look_up_elements<uint64_t>(out, in, table, entries, other);
  }
}

}  // namespace penstock
