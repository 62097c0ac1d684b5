#include "kernels/bytes/interleave.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "kernels/bytes/stream.h"

namespace penstock {
namespace {

// Sources alternate after so many bytes of output, which stay in the first-level cache meanwhile.
constexpr int64_t kBlockBytes = 16 << 10;
constexpr int64_t kLongestFixedRow = 32;

using PlaceRows = void (*)(std::byte* out, int64_t stride, const std::byte* in, int64_t rows);

// A row size known to the compiler makes a copy a move or two.
template <size_t kBytes>
void place_rows(std::byte* out, int64_t stride, const std::byte* in, int64_t rows) {
  for (int64_t row = 0; row < rows; ++row) std::memcpy(out + row * stride, in + row * kBytes, kBytes);
}

template <size_t... kBytes>
constexpr std::array<PlaceRows, sizeof...(kBytes)> fixed_sizes(std::index_sequence<kBytes...>) {
  return {&place_rows<kBytes>...};
}

constexpr auto kPlaceRows = fixed_sizes(std::make_index_sequence<kLongestFixedRow + 1>());

void place(std::byte* out, int64_t stride, const std::byte* in, int64_t row_bytes, int64_t rows, bool past_caches) {
  const CopyBytes copy = copying(past_caches && (row_bytes == stride || row_bytes >= kShortestStreamedRow));
  if (row_bytes == stride)
    copy(out, in, rows * row_bytes);
  else if (row_bytes <= kLongestFixedRow)
    kPlaceRows[row_bytes](out, stride, in, rows);
  else
    for (int64_t row = 0; row < rows; ++row) copy(out + row * stride, in + row * row_bytes, row_bytes);
}

// A number at any address, in memory of any type. Attributes of a template's own parameter would be ignored.
template <typename T>
struct __attribute__((packed, may_alias)) Loose {
  T value;
};

// Rows of two to four arrays in turn where a row is one number, which the compiler does by shuffling registers.
template <typename T, int kSources>
void interleave_elements(std::byte* out, std::span<const RowSource> sources, int64_t first, int64_t last) {
  const Loose<T>* in[kSources];
  for (int k = 0; k < kSources; ++k) in[k] = reinterpret_cast<const Loose<T>*>(sources[k].data);
  Loose<T>* __restrict to = reinterpret_cast<Loose<T>*>(out);
  for (int64_t i = first; i < last; ++i)
    for (int k = 0; k < kSources; ++k) to[i * kSources + k] = in[k][i];
}

template <typename T>
void interleave_elements(std::byte* out, std::span<const RowSource> sources, int64_t first, int64_t last) {
  if (sources.size() == 2) return interleave_elements<T, 2>(out, sources, first, last);
  if (sources.size() == 3) return interleave_elements<T, 3>(out, sources, first, last);
  interleave_elements<T, 4>(out, sources, first, last);
}

bool has_equal_rows(std::span<const RowSource> sources) {
  if (sources.size() < 2 || sources.size() > 4) return false;
  return std::all_of(sources.begin(), sources.end(),
                     [&](const RowSource& s) { return s.row_bytes == sources[0].row_bytes; });
}

}  // namespace

void interleave(std::byte* out, std::span<const RowSource> sources, int64_t first, int64_t last, bool past_caches) {
  if (has_equal_rows(sources)) {
    if (sources[0].row_bytes == 1) return interleave_elements<uint8_t>(out, sources, first, last);
    if (sources[0].row_bytes == 2) return interleave_elements<uint16_t>(out, sources, first, last);
    if (sources[0].row_bytes == 4) return interleave_elements<uint32_t>(out, sources, first, last);
  }
  int64_t stride = 0;
  for (const RowSource& from : sources) stride += from.row_bytes;
  if (stride == 0) return;
  const int64_t block = sources.size() == 1 ? last - first : std::max<int64_t>(1, kBlockBytes / stride);
  for (int64_t row = first; row < last; row += block) {
    const int64_t rows = std::min(block, last - row);
    std::byte* to = out + row * stride;
    for (const RowSource& from : sources) {
      place(to, stride, from.data + row * from.row_bytes, from.row_bytes, rows, past_caches);
      to += from.row_bytes;
    }
  }
  if (past_caches) finish_streams();
}

void repeat(std::byte* out, int64_t bytes, std::span<const std::byte> pattern, bool past_caches) {
  const std::byte* source = pattern.data();
  const bool is_one_byte = std::all_of(pattern.begin(), pattern.end(), [&](auto each) { return each == pattern[0]; });
  if (is_one_byte && pattern[0] == std::byte{0} && past_caches) {
    stream_zeros(out, bytes);
    finish_streams();
    return;
  }
  // The processor fills lines with one byte without reading them, nearly twice as fast as it streams copies.
  if (is_one_byte) {
    std::memset(out, std::to_integer<int>(pattern[0]), bytes);
    return;
  }
  int64_t length = static_cast<int64_t>(pattern.size());
  // A short pattern is doubled, in the cache, to a stretch that is worth copying.
  alignas(64) std::byte stretch[kBlockBytes];
  if (length < bytes && 2 * length <= kBlockBytes) {
    const int64_t wanted = std::min(bytes, kBlockBytes);
    std::memcpy(stretch, source, length);
    for (; 2 * length <= wanted; length *= 2) std::memcpy(stretch + length, stretch, length);
    source = stretch;
  }
  for (int64_t done = 0; done < bytes; done += length)
    copying(past_caches)(out + done, source, std::min(length, bytes - done));
  if (past_caches) finish_streams();
}

}  // namespace penstock
