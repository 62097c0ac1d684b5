#include "kernels/elementwise.h"

#include <concepts>
#include <type_traits>

#include "kernels/convert.h"
#include "kernels/simd.h"

namespace penstock {
namespace {

// What wraps instead of overflowing; narrow integers would be calculated with as signed ones.
template <typename T>
struct Wrapping : std::conditional<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>> {};
template <std::floating_point T>
struct Wrapping<T> {
  using type = T;
};
template <typename T>
using Wrap = typename Wrapping<T>::type;

struct Add {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(static_cast<Wrap<T>>(a) + static_cast<Wrap<T>>(b));
  }
};
struct Sub {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(static_cast<Wrap<T>>(a) - static_cast<Wrap<T>>(b));
  }
};
struct Mul {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(static_cast<Wrap<T>>(a) * static_cast<Wrap<T>>(b));
  }
};
struct Div {
  template <std::floating_point T>
  T operator()(T a, T b) const {
    return a / b;
  }
};
struct Min {
  template <typename T>
  T operator()(T a, T b) const {
    return a < b ? a : b;
  }
};
struct Max {
  template <typename T>
  T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};
struct Equal {
  template <typename T>
  bool operator()(T a, T b) const {
    return a == b;
  }
};
struct NotEqual {
  template <typename T>
  bool operator()(T a, T b) const {
    return a != b;
  }
};
struct Less {
  template <typename T>
  bool operator()(T a, T b) const {
    return a < b;
  }
};
struct LessEqual {
  template <typename T>
  bool operator()(T a, T b) const {
    return a <= b;
  }
};
struct And {
  template <std::integral T>
  T operator()(T a, T b) const {
    return a & b;
  }
};
struct Or {
  template <std::integral T>
  T operator()(T a, T b) const {
    return a | b;
  }
};
struct Xor {
  template <std::integral T>
  T operator()(T a, T b) const {
    return a ^ b;
  }
};

template <typename T, typename Rule>
void combine_row(std::byte* out, const std::byte* left, const std::byte* right, int64_t n) {
  using Number = decltype(number(T{}));
  using Made = std::invoke_result_t<Rule, Number, Number>;
  auto* to = reinterpret_cast<std::conditional_t<std::is_same_v<Made, bool>, uint8_t, Made>*>(out);
  const T* a = reinterpret_cast<const T*>(left);
  const T* b = reinterpret_cast<const T*>(right);
  run_wide([=]() PENSTOCK_INLINE {
    for (int64_t i = 0; i < n; ++i) to[i] = Rule()(number(a[i]), number(b[i]));
  });
}

template <typename Rule>
CombineRow rows_of(DType dtype) {
  return visit(dtype, []<typename T>() -> CombineRow {
    using Number = decltype(number(T{}));
    if constexpr (!std::is_same_v<T, Half> && std::is_invocable_v<Rule, Number, Number>)
      return combine_row<T, Rule>;
    else
      return nullptr;
  });
}

}  // namespace

CombineRow combination(Combination kind, DType dtype) {
  switch (kind) {
    case Combination::add:
      return rows_of<Add>(dtype);
    case Combination::sub:
      return rows_of<Sub>(dtype);
    case Combination::mul:
      return rows_of<Mul>(dtype);
    case Combination::div:
      return rows_of<Div>(dtype);
    case Combination::min:
      return rows_of<Min>(dtype);
    case Combination::max:
      return rows_of<Max>(dtype);
    case Combination::equal:
      return rows_of<Equal>(dtype);
    case Combination::not_equal:
      return rows_of<NotEqual>(dtype);
    case Combination::less:
      return rows_of<Less>(dtype);
    case Combination::less_equal:
      return rows_of<LessEqual>(dtype);
    case Combination::bit_and:
      return rows_of<And>(dtype);
    case Combination::bit_or:
      return rows_of<Or>(dtype);
    case Combination::bit_xor:
      break;
  }
  return rows_of<Xor>(dtype);
}

}  // namespace penstock
