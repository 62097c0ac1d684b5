// Results whose length only the data can tell: made as vectors, then packed into a batch.
#pragma once

#include <cstring>
#include <vector>

#include "memory/samples.h"

namespace penstock {

/// One sample per vector: rows of `width` elements, or with a width of 0 a plain list.
template <typename T>
Samples packed(const std::vector<std::vector<T>>& lists, DType dtype, int64_t width = 0) {
  const int ndim = width ? 2 : 1;
  std::vector<Shape> shapes(lists.size());
  for (size_t i = 0; i < lists.size(); ++i) {
    shapes[i].ndim = ndim;
    shapes[i][0] = static_cast<int64_t>(lists[i].size()) / (width ? width : 1);
    if (width) shapes[i][1] = width;
  }
  Samples made = Samples::empty(dtype, ndim, std::move(shapes));
  for (size_t i = 0; i < lists.size(); ++i)
    if (!lists[i].empty()) std::memcpy(made.data(i), lists[i].data(), lists[i].size() * sizeof(T));
  return made;
}

}  // namespace penstock
