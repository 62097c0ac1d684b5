#include "kernels/fourier/lines.h"

#include <algorithm>
#include <cstring>

namespace penstock {
namespace {

using Four = float __attribute__((vector_size(16)));

Four load_four(const float* from) {
  Four made;
  std::memcpy(&made, from, sizeof made);
  return made;
}

void store(float* to, Four values) { std::memcpy(to, &values, sizeof values); }

void turn_four(float* out, int64_t out_step, const float* in, int64_t in_step) {
  const Four a = load_four(in), b = load_four(in + in_step), c = load_four(in + 2 * in_step),
             d = load_four(in + 3 * in_step);
  const Four ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Four cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  store(out, __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5));
  store(out + out_step, __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7));
  store(out + 2 * out_step, __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5));
  store(out + 3 * out_step, __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7));
}

/// A length known to the compiler makes a copy a move or two.
void copy_lanes(float* to, const float* from, int64_t count) {
  if (count == kLanes)
    std::memcpy(to, from, kLanes * sizeof(float));
  else
    for (int64_t l = 0; l < count; ++l) to[l] = from[l];
}

/// Calls `body(at, lane, count)` for the runs of lanes that lie side by side in the array.
template <typename Body>
void for_runs(const Lines& lines, int64_t first, int64_t lanes, Body&& body) {
  for (int64_t lane = 0; lane < lanes;) {
    const int64_t line = first + lane, column = line % lines.inner;
    const int64_t count = std::min(lines.inner - column, lanes - lane);
    body(line / lines.inner * lines.length * lines.inner + column, lane, count);
    lane += count;
  }
}

}  // namespace

void turn_matrix(float* out, int64_t out_step, const float* in, int64_t in_step, int64_t rows, int64_t columns) {
  const int64_t whole_rows = rows / 4 * 4, whole_columns = columns / 4 * 4;
  for (int64_t row = 0; row < whole_rows; row += 4) {
    for (int64_t column = 0; column < whole_columns; column += 4)
      turn_four(out + column * out_step + row, out_step, in + row * in_step + column, in_step);
    for (int64_t column = whole_columns; column < columns; ++column)
      for (int64_t r = row; r < row + 4; ++r) out[column * out_step + r] = in[r * in_step + column];
  }
  for (int64_t row = whole_rows; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column) out[column * out_step + row] = in[row * in_step + column];
}

void load_lines(float* block, const float* in, const Lines& lines, int64_t first, int64_t lanes) {
  if (lines.inner == 1) return turn_matrix(block, lanes, in + first * lines.length, lines.length, lanes, lines.length);
  for_runs(lines, first, lanes, [&](int64_t at, int64_t lane, int64_t count) {
    for (int64_t k = 0; k < lines.length; ++k) copy_lanes(block + k * lanes + lane, in + at + k * lines.inner, count);
  });
}

void store_lines(float* out, const Lines& lines, int64_t first, int64_t lanes, const float* block, int64_t step) {
  if (lines.inner == 1) return turn_matrix(out + first * lines.length, lines.length, block, step, lines.length, lanes);
  for_runs(lines, first, lanes, [&](int64_t at, int64_t lane, int64_t count) {
    for (int64_t k = 0; k < lines.length; ++k) copy_lanes(out + at + k * lines.inner, block + k * step + lane, count);
  });
}

}  // namespace penstock
