#include "kernels/arithmetic/elementwise.h"

#include <concepts>
#include <type_traits>

#include "cpu/vectorize.h"
#include "kernels/arithmetic/integer_division.h"
#include "kernels/elements/convert.h"

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
struct Pow {
  template <std::integral T>
  T operator()(T base, T exponent) const {
    if (std::cmp_less(exponent, 0)) return 0;
    Wrap<T> power = 1, square = static_cast<Wrap<T>>(base);
    for (auto left = static_cast<Wrap<T>>(exponent); left; left >>= 1, square *= square)
      if (left & 1) power *= square;
    return static_cast<T>(power);
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
template <typename T>
constexpr T kShiftMask = sizeof(T) == 8 ? 63 : 31;
struct ShiftLeft {
  template <std::integral T>
  T operator()(T a, T count) const {
    return static_cast<T>(static_cast<Wrap<T>>(a) << (count & kShiftMask<T>));
  }
};
struct ShiftRight {
  template <std::integral T>
  T operator()(T a, T count) const {
    return static_cast<T>(a >> (count & kShiftMask<T>));
  }
};

// Which operand is one element for the whole row.
enum class Single : uint8_t { none, left, right };

template <typename T, typename Rule, Single kSingle>
void combine_row(std::byte* out, const std::byte* left, const std::byte* right, int64_t n) {
  using Number = decltype(number(T{}));
  auto* to = reinterpret_cast<Number*>(out);
  const T* a = reinterpret_cast<const T*>(left);
  const T* b = reinterpret_cast<const T*>(right);
  const auto rule = [](T x, T y) PENSTOCK_INLINE -> Number {
    const Number made = Rule()(number(x), number(y));
    return std::is_same_v<T, Bool> ? made != 0 : made;
  };
  run_wide([=]() PENSTOCK_INLINE {
    if constexpr (kSingle == Single::left) {
      const T x = *a;
      for (int64_t i = 0; i < n; ++i) to[i] = rule(x, b[i]);
    } else if constexpr (kSingle == Single::right) {
      const T y = *b;
      for (int64_t i = 0; i < n; ++i) to[i] = rule(a[i], y);
    } else {
      for (int64_t i = 0; i < n; ++i) to[i] = rule(a[i], b[i]);
    }
  });
}

template <typename T>
void clamp_row(std::byte* out, const std::byte* in, const std::byte* lowest, const std::byte* highest, int64_t n) {
  using Number = decltype(number(T{}));
  auto* to = reinterpret_cast<Number*>(out);
  const T* from = reinterpret_cast<const T*>(in);
  const Number lo = number(*reinterpret_cast<const T*>(lowest)), hi = number(*reinterpret_cast<const T*>(highest));
  run_wide([=]() PENSTOCK_INLINE {
    for (int64_t i = 0; i < n; ++i) to[i] = Min()(hi, Max()(lo, static_cast<Number>(number(from[i]))));
  });
}

template <typename Rule, Single kSingle = Single::none>
CombineRow combination_of(DType dtype) {
  return visit(dtype, []<typename T>() -> CombineRow {
    using Number = decltype(number(T{}));
    if constexpr (!std::is_same_v<T, Half> && std::is_invocable_v<Rule, Number, Number>)
      return combine_row<T, Rule, kSingle>;
    else
      return nullptr;
  });
}

// Those that take less time than fetching a row of operands does.
template <Single kSingle>
CombineRow light_combination(Combination kind, DType dtype) {
  switch (kind) {
    case Combination::add:
      return combination_of<Add, kSingle>(dtype);
    case Combination::sub:
      return combination_of<Sub, kSingle>(dtype);
    case Combination::mul:
      return combination_of<Mul, kSingle>(dtype);
    case Combination::div:
      return combination_of<Div, kSingle>(dtype);
    case Combination::min:
      return combination_of<Min, kSingle>(dtype);
    case Combination::max:
      return combination_of<Max, kSingle>(dtype);
    case Combination::bit_and:
      return combination_of<And, kSingle>(dtype);
    case Combination::bit_or:
      return combination_of<Or, kSingle>(dtype);
    case Combination::bit_xor:
      return combination_of<Xor, kSingle>(dtype);
    case Combination::shift_left:
      return combination_of<ShiftLeft, kSingle>(dtype);
    case Combination::shift_right:
      return combination_of<ShiftRight, kSingle>(dtype);
    default:
      return nullptr;
  }
}

}  // namespace

CombineRow combination(Combination kind, DType dtype) {
  switch (kind) {
    case Combination::quotient:
      if (const CombineRow real = combination_of<Div>(dtype)) return real;
      return quotient_row(dtype);
    case Combination::remainder:
      return remainder_row(dtype);
    case Combination::pow:
      return combination_of<Pow>(dtype);
    default:
      return light_combination<Single::none>(kind, dtype);
  }
}

CombineRow combination_with_one(Combination kind, DType dtype) {
  switch (kind) {
    case Combination::quotient:
      if (const CombineRow real = combination_of<Div, Single::right>(dtype)) return real;
      return quotient_by_one_row(dtype);
    case Combination::remainder:
      return remainder_by_one_row(dtype);
    default:
      return light_combination<Single::right>(kind, dtype);
  }
}

CombineRow combination_of_one(Combination kind, DType dtype) {
  switch (kind) {
    case Combination::min:
      return combination_of<Min, Single::left>(dtype);
    case Combination::max:
      return combination_of<Max, Single::left>(dtype);
    default:
      return nullptr;
  }
}

ClampRow clamp_between(DType dtype) {
  return visit(dtype, []<typename T>() -> ClampRow {
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Bool>)
      return nullptr;
    else
      return clamp_row<T>;
  });
}

}  // namespace penstock
