// A loop of one of NumPy's ufuncs, which runs over rows like one of ours.
#pragma once

#include <cstddef>

#include "memory/view.h"

namespace penstock {

/// As NumPy's C interface has it. Loops of numbers touch no Python object, so they need no interpreter lock.
struct UfuncLoop {
  using Function = void (*)(char** rows, const std::ptrdiff_t* count, const std::ptrdiff_t* strides, void* data);

  Function function = nullptr;
  void* data = nullptr;
  int operands = 0;
  DType of = {}, result = {};

  /// Told of a single number, comparisons are quicker. Some functions would round differently.
  bool reads_single() const { return operands == 2 && result == DType::boolean; }

  /// Makes n elements of `left` and, where there are two operands, `right`, whose elements may be all the same.
  void operator()(std::byte* out, const std::byte* left, const std::byte* right, bool right_is_single,
                  std::ptrdiff_t n) const {
    const auto given = [](const std::byte* row) { return reinterpret_cast<char*>(const_cast<std::byte*>(row)); };
    const std::ptrdiff_t item = item_bytes(of), made = item_bytes(result);
    char* rows[] = {given(left), operands == 2 ? given(right) : given(out), given(out)};
    const std::ptrdiff_t right_stride = operands != 2 ? made : right_is_single && reads_single() ? 0 : item;
    const std::ptrdiff_t strides[] = {item, right_stride, made};
    function(rows, &n, strides, data);
  }
};

}  // namespace penstock
