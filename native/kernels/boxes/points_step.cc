#include "kernels/boxes/points_step.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "kernels/boxes/points.h"

namespace penstock {
namespace {

int64_t dims_of(const Shape& shape) {
  if (shape.ndim < 1) throw std::runtime_error("points need an axis for their coordinates");
  return shape[shape.ndim - 1];
}

/// Refuses a row that has neither one number nor one for each coordinate.
void check_width(const PerSampleRows<float>& rows, int64_t dims, const char* what) {
  const auto width = static_cast<int64_t>(rows.width());
  if (width != 1 && width != dims)
    throw std::runtime_error("Expected " + std::to_string(dims) + "-D " + what + ", got " + std::to_string(width) +
                             "-D");
}

/// A row with a number for each coordinate.
float* spread(float* to, const PerSampleRows<float>& rows, size_t sample, int64_t dims) {
  const float* row = rows[sample];
  if (rows.width() == 1)
    std::fill(to, to + dims, row[0]);
  else
    std::copy(row, row + dims, to);
  return to;
}

}  // namespace

Spec MapPoints::infer(size_t, const Spec& in, ConstView) const {
  if (dims_of(in.shape) == 0) throw std::runtime_error("a matrix maps points of at least one coordinate, got none");
  const int64_t columns = dims_of(in.shape) + options_.moves;
  const auto size = static_cast<int64_t>(options_.matrix.width());
  if ((options_.columns ? options_.columns != columns : size % columns != 0) || size == 0)
    throw std::runtime_error("points of " + std::to_string(dims_of(in.shape)) + " coordinates need a matrix of " +
                             std::to_string(columns) + " columns; " +
                             (options_.columns ? "this one has " + std::to_string(options_.columns)
                                               : "these are " + std::to_string(size) + " elements"));
  Shape shape = in.shape;
  shape[shape.ndim - 1] = size / columns;
  if (!options_.moves) check_width(options_.shift, size / columns, "translation vectors");
  return {options_.dtype, shape};
}

void MapPoints::run(size_t sample, View out, ConstView in, Scratch& scratch) const {
  const int64_t from = dims_of(in.shape), to = dims_of(out.shape);
  const float* matrix = options_.matrix[sample];
  float* shift = scratch.array<float>(kStepFactors, to * (from + 1));
  if (!options_.moves) return map_points(out, in, matrix, spread(shift, options_.shift, sample, to));
  float* linear = shift + to;
  for (int64_t row = 0; row < to; ++row, matrix += from + 1) {
    std::copy(matrix, matrix + from, linear + row * from);
    shift[row] = matrix[from];
  }
  map_points(out, in, linear, shift);
}

Spec ScalePoints::infer(size_t, const Spec& in, ConstView) const {
  const int64_t dims = dims_of(in.shape);
  const auto named = static_cast<int64_t>(std::min(options_.factor.width(), options_.shift.width()));
  if (!options_.spare) {
    check_width(options_.factor, dims, "factors");
    check_width(options_.shift, dims, "translation vectors");
  } else if (dims > named) {
    throw std::runtime_error("points of " + std::to_string(dims) + " coordinates, of which only " +
                             std::to_string(named) + " have a name");
  }
  return {options_.dtype, in.shape};
}

void ScalePoints::run(size_t sample, View out, ConstView in, Scratch& scratch) const {
  const int64_t dims = dims_of(in.shape);
  float* factor = scratch.array<float>(kStepFactors, 2 * dims);
  scale_points(out, in, spread(factor, options_.factor, sample, dims),
               spread(factor + dims, options_.shift, sample, dims));
}

}  // namespace penstock
