#include "kernels/color/clahe.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "cpu/vectorize.h"
#include "kernels/color/byte_levels.h"

namespace penstock {
namespace {

/// How an axis is cut into tiles, the last of which may reach beyond it.
struct Tiling {
  int64_t size, tiles, tile;

  /// `padded`: the axis is made longer to fill the last tile, as soon as either axis needs it.
  Tiling(int64_t size, int64_t tiles, bool padded)
      : size(size), tiles(tiles), tile((padded ? size + tiles - size % tiles : size) / tiles) {}

  /// What stands at a place beyond the end: the image mirrored at its last pixel, and again at its first.
  int64_t mirrored(int64_t at) const {
    if (size == 1) return 0;
    at %= 2 * size - 2;
    return at < size ? at : 2 * size - 2 - at;
  }
};

/// The two tiles a place lies between, and how near it is to the second.
struct Between {
  int64_t first, second;
  float share;

  Between(int64_t at, const Tiling& axis) {
    const float place = static_cast<float>(at) * (1.0f / static_cast<float>(axis.tile)) - 0.5f;
    const auto below = static_cast<int64_t>(std::floor(place));
    share = place - static_cast<float>(below);
    first = std::max<int64_t>(below, 0);
    second = std::min(below + 1, axis.tiles - 1);
  }
};

/// The end of the places that lie between the same two tiles as `at`.
int64_t end_of_same(int64_t at, const Tiling& axis) {
  const Between here(at, axis);
  for (++at; at < axis.size; ++at) {
    const Between next(at, axis);
    if (next.first != here.first || next.second != here.second) break;
  }
  return at;
}

void count_tile(int32_t* counts, const uint8_t* in, const Tiling& down, const Tiling& across, int64_t row,
                int64_t column) {
  std::memset(counts, 0, kLevels * sizeof(int32_t));
  for (int64_t y = row * down.tile; y < (row + 1) * down.tile; ++y) {
    const uint8_t* line = in + down.mirrored(y) * across.size;
    const int64_t begin = column * across.tile, end = begin + across.tile, inside = std::min(end, across.size);
    for (int64_t x = begin; x < inside; ++x) ++counts[line[x]];
    for (int64_t x = std::max(begin, inside); x < end; ++x) ++counts[line[across.mirrored(x)]];
  }
}

/// What is cut off goes to all levels alike, the remainder to some at equal distances.
void clip(int32_t* counts, int32_t limit) {
  int32_t excess = 0;
  for (int level = 0; level < kLevels; ++level) {
    excess += std::max(counts[level] - limit, 0);
    counts[level] = std::min(counts[level], limit);
  }
  for (int level = 0; level < kLevels; ++level) counts[level] += excess / kLevels;
  const int32_t rest = excess % kLevels;
  for (int k = 0; k < rest; ++k) ++counts[k * std::max(kLevels / rest, 1)];
}

void put_table(uint8_t* table, const int32_t* counts, int64_t pixels) {
  const float scale = static_cast<float>(kLevels - 1) / static_cast<float>(pixels);
  int32_t sum = 0;
  for (int level = 0; level < kLevels; ++level) {
    sum += counts[level];
    table[level] = static_cast<uint8_t>(std::min(std::lrint(static_cast<float>(sum) * scale), 255L));
  }
}

/// The tables of all tiles, row by row.
void put_tables(uint8_t* tables, const uint8_t* in, const Tiling& down, const Tiling& across, double clip_limit) {
  const int64_t area = down.tile * across.tile;
  const auto most = static_cast<double>(area);
  const auto limit = static_cast<int32_t>(std::clamp(clip_limit * most / kLevels, 1.0, most));
  int32_t counts[kLevels];
  for (int64_t t = 0; t < down.tiles * across.tiles; ++t) {
    count_tile(counts, in, down, across, t / across.tiles, t % across.tiles);
    if (clip_limit > 0) clip(counts, limit);
    put_table(tables + t * kLevels, counts, area);
  }
}

/// The levels of four tiles in one number, so that one look finds all.
void join_tables(uint32_t* joined, const uint8_t* a, const uint8_t* b, const uint8_t* c, const uint8_t* d) {
  for (int level = 0; level < kLevels; ++level)
    joined[level] = a[level] | b[level] << 8 | c[level] << 16 | static_cast<uint32_t>(d[level]) << 24;
}

/// Blends n pixels that lie between the same four tiles.
void blend(uint8_t* out, const uint8_t* in, int64_t n, const uint32_t* joined, const float* shares, float down) {
  constexpr int64_t kBlock = 256;
  uint32_t found[kBlock];  // looked up first: the compiler does not vectorise a loop that looks up and writes bytes
  for (int64_t done = 0; done < n; done += kBlock) {
    const int64_t count = std::min(kBlock, n - done);
    for (int64_t x = 0; x < count; ++x) found[x] = joined[in[done + x]];
    run_wide([=, fours = &found[0], to = out + done, rights = shares + done]() PENSTOCK_INLINE {
      const float up = 1.0f - down;
      for (int64_t x = 0; x < count; ++x) {
        const auto level = [=](int shift) PENSTOCK_INLINE {
          return static_cast<float>(static_cast<int32_t>(fours[x] >> shift & 255));
        };
        const float right = rights[x], left = 1.0f - right;
        const float above = level(0) * left + level(8) * right, below = level(16) * left + level(24) * right;
        to[x] = static_cast<uint8_t>(static_cast<int32_t>(std::rint(above * up + below * down)));
      }
    });
  }
}

}  // namespace

void clahe(uint8_t* out, const uint8_t* in, int64_t height, int64_t width, const ClaheGrid& grid, Scratch& scratch) {
  const bool padded = height % grid.rows || width % grid.columns;
  const Tiling down(height, grid.rows, padded), across(width, grid.columns, padded);
  uint8_t* tables = scratch.array<uint8_t>(kStepTables, down.tiles * across.tiles * kLevels);
  put_tables(tables, in, down, across, grid.clip_limit);

  float* shares = scratch.array<float>(kStepFactors, width);
  for (int64_t x = 0; x < width; ++x) shares[x] = Between(x, across).share;
  uint32_t joined[kLevels];
  const auto table = [&](int64_t y, int64_t x) { return tables + (y * across.tiles + x) * kLevels; };
  for (int64_t top = 0, bottom; top < height; top = bottom) {
    const Between v(top, down);
    bottom = end_of_same(top, down);
    for (int64_t begin = 0, end; begin < width; begin = end) {
      const Between h(begin, across);
      end = end_of_same(begin, across);
      join_tables(joined, table(v.first, h.first), table(v.first, h.second), table(v.second, h.first),
                  table(v.second, h.second));
      for (int64_t y = top; y < bottom; ++y)
        blend(out + y * width + begin, in + y * width + begin, end - begin, joined, shares + begin,
              Between(y, down).share);
    }
  }
}

}  // namespace penstock
