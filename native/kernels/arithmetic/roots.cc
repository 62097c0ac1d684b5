#include "kernels/arithmetic/roots.h"

#include <cmath>
#include <type_traits>

#include "cpu/vectorize.h"
#include "kernels/elements/convert.h"

namespace penstock {
namespace {

struct SquareRoot {
  template <typename T>
  T operator()(T x) const {
    return std::sqrt(x);
  }
};

struct ReciprocalSquareRoot {
  template <typename T>
  T operator()(T x) const {
    return T{1} / std::sqrt(x);
  }
};

template <typename T, typename Rule>
void make_row(std::byte* out, const std::byte* in, int64_t n) {
  T* to = reinterpret_cast<T*>(out);
  const T* from = reinterpret_cast<const T*>(in);
  run_wide([=]() PENSTOCK_INLINE {
    for (int64_t i = 0; i < n; ++i) to[i] = Rule()(from[i]);
  });
}

template <typename Rule>
RootRow row_of(DType dtype) {
  return visit(dtype, []<typename T>() -> RootRow {
    if constexpr (std::is_floating_point_v<T>)
      return make_row<T, Rule>;
    else
      return nullptr;
  });
}

}  // namespace

RootRow root_row(Root kind, DType dtype) {
  return kind == Root::square ? row_of<SquareRoot>(dtype) : row_of<ReciprocalSquareRoot>(dtype);
}

}  // namespace penstock
