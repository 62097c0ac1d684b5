#include "kernels/array/axis_map.h"

namespace penstock {
namespace {

int64_t modulo(int64_t a, int64_t n) {
  const int64_t rest = a % n;
  return rest < 0 ? rest + n : rest;
}

}  // namespace

int64_t repeated(int64_t i, int64_t size, Border border) {
  switch (border) {
    case Border::wrap:
      return modulo(i, size);
    case Border::reflect_1001:
      i = modulo(i, 2 * size);
      return i < size ? i : 2 * size - 1 - i;
    case Border::reflect_101:
      if (size == 1) return 0;
      i = modulo(i, 2 * size - 2);
      return i < size ? i : 2 * size - 2 - i;
    default:
      return std::clamp<int64_t>(i, 0, size - 1);
  }
}

AxisMap map_axis(int64_t size, int64_t anchor, int64_t extent, Border border, bool mirrored, int64_t* table) {
  AxisMap map;
  map.extent = extent;
  map.step = mirrored ? -1 : 1;
  if (border >= Border::edge && reaches_out(anchor, extent, size)) {
    map.inside = extent;
    for (int64_t k = 0; k < extent; ++k) table[k] = repeated(anchor + (mirrored ? extent - 1 - k : k), size, border);
    map.table = table;
    return map;
  }
  const int64_t low = std::clamp<int64_t>(-anchor, 0, extent);
  const int64_t high = std::clamp<int64_t>(size - anchor, low, extent);
  map.inside = high - low;
  map.before = mirrored ? extent - high : low;
  map.first = anchor + (mirrored ? high - 1 : low);
  return map;
}

}  // namespace penstock
