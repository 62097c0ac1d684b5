#include "kernels/color/equalize.h"

#include <cmath>
#include <cstring>

#include "kernels/color/byte_levels.h"
#include "kernels/color/lookup.h"

namespace penstock {
namespace {

/// As OpenCV does it, to the last bit: the lowest level there is becomes 0, and a single level stays.
void make_table(uint8_t* table, const int64_t* counts, int64_t pixels) {
  int level = 0;
  while (counts[level] == 0) ++level;
  std::memset(table, level, kLevels);
  if (counts[level] == pixels) return;
  const float scale = 255.0f / static_cast<float>(pixels - counts[level]);
  int64_t below = 0;
  for (table[level++] = 0; level < kLevels; ++level) {
    below += counts[level];
    table[level] = static_cast<uint8_t>(std::lrint(static_cast<float>(below) * scale));
  }
}

// Neighbours are often equal: counting them in turns keeps one increment from waiting for the last.
void count_levels(int64_t* counts, const uint8_t* in, int64_t n) {
  constexpr int kTurns = 4;
  uint32_t turns[kTurns][kLevels];
  constexpr int64_t kChunk = int64_t{1} << 32;  // a turn counts at most a quarter of it
  for (; n > 0; in += kChunk, n -= kChunk) {
    const int64_t chunk = n < kChunk ? n : kChunk;
    std::memset(turns, 0, sizeof(turns));
    int64_t i = 0;
    for (; i + kTurns <= chunk; i += kTurns)
      for (int k = 0; k < kTurns; ++k) ++turns[k][in[i + k]];
    for (; i < chunk; ++i) ++turns[0][in[i]];
    for (int level = 0; level < kLevels; ++level)
      for (const auto& turn : turns) counts[level] += turn[level];
  }
}

void equalize_plane(uint8_t* out, const uint8_t* in, int64_t n) {
  int64_t counts[kLevels] = {};
  uint8_t table[kLevels];
  count_levels(counts, in, n);
  make_table(table, counts, n);
  look_up_bytes(out, in, n, table);
}

void equalize_rgb(uint8_t* out, const uint8_t* in, int64_t pixels) {
  int64_t counts[3][kLevels] = {};
  uint8_t tables[3][kLevels];
  for (int64_t i = 0; i < pixels; ++i)
    for (int c = 0; c < 3; ++c) ++counts[c][in[3 * i + c]];
  for (int c = 0; c < 3; ++c) make_table(tables[c], counts[c], pixels);
  look_up_channels(out, in, pixels, 3, tables[0]);
}

void equalize_strided(uint8_t* out, const uint8_t* in, int64_t pixels, int64_t channels) {
  for (int64_t c = 0; c < channels; ++c) {
    int64_t counts[kLevels] = {};
    uint8_t table[kLevels];
    for (int64_t i = c; i < pixels * channels; i += channels) ++counts[in[i]];
    make_table(table, counts, pixels);
    for (int64_t i = c; i < pixels * channels; i += channels) out[i] = table[in[i]];
  }
}

}  // namespace

void equalize(View out, ConstView in, int channel_axis) {
  if (in.shape.volume() == 0) return;
  const int64_t channels = channel_axis < 0 ? 1 : in.shape[channel_axis];
  const int64_t pixels = in.shape.volume() / channels;
  uint8_t* to = out.as<uint8_t>();
  const uint8_t* from = in.as<uint8_t>();
  if (channel_axis > 0 && channels == 3) return equalize_rgb(to, from, pixels);
  if (channel_axis > 0 && channels > 1) return equalize_strided(to, from, pixels, channels);
  for (int64_t c = 0; c < channels; ++c) equalize_plane(to + c * pixels, from + c * pixels, pixels);
}

}  // namespace penstock
