#include "kernels/boxes/points.h"

#include <algorithm>
#include <stdexcept>

#include "cpu/vectorize.h"
#include "kernels/elements/convert.h"

namespace penstock {
namespace {

constexpr int64_t kTile = 1024;

int64_t last_extent(const Shape& shape) { return shape[shape.ndim - 1]; }

/// Calls body(to, from, n) for up to kTile coordinates on either side at a time, as floats.
template <typename Body>
void by_tiles(View out, ConstView in, int64_t points, const Body& body) {
  const int64_t from = last_extent(in.shape), to = last_extent(out.shape);
  const int64_t most = kTile / std::max(from, to);
  if (most == 0) throw std::runtime_error("points have too many coordinates");
  const ConvertRow load = rounding_conversion(DType::f32, in.dtype), store = rounding_conversion(out.dtype, DType::f32);
  const int64_t in_item = item_bytes(in.dtype), out_item = item_bytes(out.dtype);
  alignas(64) float before[kTile], after[kTile];
  for (int64_t k = 0; k < points; k += most) {
    const int64_t n = std::min(most, points - k);
    const std::byte* source = in.data + k * from * in_item;
    std::byte* target = out.data + k * to * out_item;
    const bool is_read = in.dtype == DType::f32, is_written = out.dtype == DType::f32;
    if (!is_read) load(reinterpret_cast<std::byte*>(before), source, n * from);
    body(is_written ? reinterpret_cast<float*>(target) : after,
         is_read ? reinterpret_cast<const float*>(source) : before, n);
    if (!is_written) store(target, reinterpret_cast<const std::byte*>(after), n * to);
  }
}

/// With the numbers of coordinates known to the compiler, the loop over points becomes vector code.
template <int kTo, int kFrom>
void map_tile(float* out, const float* in, int64_t n, const float* matrix, const float* shift) {
  run_wide([=]() PENSTOCK_INLINE {
    float m[kTo][kFrom], t[kTo];
    for (int row = 0; row < kTo; ++row) {
      t[row] = shift[row];
      for (int column = 0; column < kFrom; ++column) m[row][column] = matrix[row * kFrom + column];
    }
    float* __restrict to = out;
    for (int64_t i = 0; i < n; ++i)
      for (int row = 0; row < kTo; ++row) {
        float sum = m[row][0] * in[i * kFrom];
        for (int column = 1; column < kFrom; ++column) sum += m[row][column] * in[i * kFrom + column];
        to[i * kTo + row] = sum + t[row];
      }
  });
}

void map_any(float* out, const float* in, int64_t n, int64_t to, int64_t from, const float* matrix,
             const float* shift) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t row = 0; row < to; ++row) {
      float sum = matrix[row * from] * in[i * from];
      for (int64_t column = 1; column < from; ++column) sum += matrix[row * from + column] * in[i * from + column];
      out[i * to + row] = sum + shift[row];
    }
}

}  // namespace

void map_points(View out, ConstView in, const float* matrix, const float* shift) {
  if (in.shape.volume() == 0 || out.shape.volume() == 0) return;
  const int64_t from = last_extent(in.shape), to = last_extent(out.shape);
  by_tiles(out, in, in.shape.volume() / from, [=](float* target, const float* source, int64_t n) {
    if (to == 2 && from == 2) return map_tile<2, 2>(target, source, n, matrix, shift);
    if (to == 3 && from == 3) return map_tile<3, 3>(target, source, n, matrix, shift);
    if (to == 2 && from == 3) return map_tile<2, 3>(target, source, n, matrix, shift);
    if (to == 3 && from == 2) return map_tile<3, 2>(target, source, n, matrix, shift);
    map_any(target, source, n, to, from, matrix, shift);
  });
}

void scale_points(View out, ConstView in, const float* factor, const float* shift) {
  if (in.shape.volume() == 0) return;
  const int64_t dims = last_extent(in.shape), abreast = std::min(kTile, in.shape.volume()) / dims;
  alignas(64) float factors[kTile], shifts[kTile];
  for (int64_t i = 0; i < abreast; ++i) {
    std::copy_n(factor, dims, factors + i * dims);
    std::copy_n(shift, dims, shifts + i * dims);
  }
  by_tiles(out, in, in.shape.volume() / dims, [&](float* target, const float* source, int64_t n) {
    run_wide([=, f = &factors[0], s = &shifts[0]]() PENSTOCK_INLINE {
      float* __restrict to = target;
      for (int64_t i = 0; i < n * dims; ++i) to[i] = source[i] * f[i] + s[i];
    });
  });
}

}  // namespace penstock
