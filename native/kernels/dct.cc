#include "kernels/dct.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/clones.h"
#include "kernels/lines.h"
#include "kernels/simd.h"

namespace penstock {
namespace {

double factor(int type, int64_t k, int64_t j, int64_t length) {
  const double n = static_cast<double>(length), step = std::numbers::pi / (type == 1 ? n - 1 : n);
  const double row = static_cast<double>(k) + (type > 2 ? 0.5 : 0), column = static_cast<double>(j);
  const bool edge = type == 1 ? j == 0 || j == length - 1 : type == 3 && j == 0;
  return (edge ? 0.5 : 1.0) * std::cos(step * row * (type % 2 ? column : column + 0.5));
}

double orthonormal(int type, int64_t k, int64_t j, int64_t length) {
  const double scale = std::sqrt(2 / static_cast<double>(length));
  if (type == 2 && k == 0) return scale / std::numbers::sqrt2;
  if (type == 3 && j == 0) return scale * std::numbers::sqrt2;
  return scale;
}

/// kRows coefficients at once, so that an element is loaded once for all of them.
template <int kRows>
PENSTOCK_INLINE inline void sum_rows(float* out, int64_t out_step, const float* in, int64_t in_step, const float* table,
                                     int64_t length) {
  AllLanes sums[kRows] = {};
  for (int64_t j = 0; j < length; ++j) {
    const AllLanes row = *reinterpret_cast<const AllLanes*>(in + j * in_step);
    for (int r = 0; r < kRows; ++r) sums[r] += row * table[r * length + j];
  }
  for (int r = 0; r < kRows; ++r) *reinterpret_cast<AllLanes*>(out + r * out_step) = sums[r];
}

struct Table {
  const float* values;
  int64_t rows, length;
};

PENSTOCK_CLONES void multiply(float* out, int64_t out_step, const float* in, int64_t in_step, int64_t columns,
                              Table table) {
  int64_t column = 0;
  for (; column + kLanes <= columns; column += kLanes) {
    int64_t r = 0;
    for (; r + 4 <= table.rows; r += 4)
      sum_rows<4>(out + r * out_step + column, out_step, in + column, in_step, table.values + r * table.length,
                  table.length);
    for (; r < table.rows; ++r)
      sum_rows<1>(out + r * out_step + column, out_step, in + column, in_step, table.values + r * table.length,
                  table.length);
  }
  for (; column < columns; ++column)
    for (int64_t r = 0; r < table.rows; ++r) {
      float sum = 0;
      for (int64_t j = 0; j < table.length; ++j) sum += in[j * in_step + column] * table.values[r * table.length + j];
      out[r * out_step + column] = sum;
    }
}

}  // namespace

Dct::Dct(const DctKind& kind, int64_t length) : length_(length), size_(std::min(kind.count, length)) {
  for (int64_t k = 0; k < size_; ++k) {
    const double angle = std::numbers::pi * static_cast<double>(k + 1) / kind.lifter;
    const double lift = kind.lifter == 0 ? 1 : 1 + kind.lifter / 2 * std::sin(angle);
    for (int64_t j = 0; j < length; ++j) {
      const double scale = kind.normalizes ? orthonormal(kind.type, k, j, length) : 1;
      table_.push_back(static_cast<float>(lift * scale * factor(kind.type, k, j, length)));
    }
  }
}

void Dct::run(float* out, int64_t out_step, const float* in, int64_t in_step, int64_t columns) const {
  multiply(out, out_step, in, in_step, columns, {table_.data(), size_, length_});
}

}  // namespace penstock
