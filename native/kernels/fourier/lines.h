// The lines of an array along one axis, loaded several at a time as the lanes of a block.
#pragma once

#include "memory/view.h"

namespace penstock {

constexpr int64_t kLanes = 16;

/// A full block's lanes of one element, as a vector of whatever registers there are. A typedef: of a name that is
/// declared by `using`, Clang ignores that it may lie anywhere.
typedef float AllLanes __attribute__((vector_size(kLanes * sizeof(float)), aligned(alignof(float)), may_alias));

struct Lines {
  int64_t outer, length, inner;  // extents before, along and after the axis

  static Lines along(const Shape& shape, int axis) {
    return {shape.volume(0, axis), shape[axis], shape.volume(axis + 1, shape.ndim)};
  }
  int64_t count() const { return outer * inner; }
  Lines of_length(int64_t other) const { return {outer, other, inner}; }
};

/// Lines `first` to `first + lanes`: element k of lane l goes to block[k * lanes + l].
void load_lines(float* block, const float* in, const Lines& lines, int64_t first, int64_t lanes);
/// The other way round; element k of lane l comes from block[k * step + l].
void store_lines(float* out, const Lines& lines, int64_t first, int64_t lanes, const float* block, int64_t step);

/// out[column][row] = in[row][column], for rows that are `in_step` and `out_step` apart.
void turn_matrix(float* out, int64_t out_step, const float* in, int64_t in_step, int64_t rows, int64_t columns);

}  // namespace penstock
