#include "kernels/arithmetic/integer_division.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "cpu/vectorize.h"
#include "kernels/arithmetic/division_factor.h"
#include "kernels/arithmetic/integer_division_avx2.h"
#include "kernels/elements/convert.h"

namespace penstock {
namespace {

// Floats that hold such numbers, and quotients of them well enough never to round one up to the next whole number.
template <typename T>
using Real = std::conditional_t<sizeof(T) <= 2, float, double>;
template <typename T>
constexpr bool kFitsReal = sizeof(T) <= 4;

template <typename T>
struct Quotient {
  PENSTOCK_INLINE T operator()(T, T, T quotient) const { return quotient; }
};
template <typename T>
struct Remainder {
  PENSTOCK_INLINE T operator()(T a, T b, T quotient) const {
    using Wrap = std::common_type_t<uint32_t, std::make_unsigned_t<T>>;
    return static_cast<T>(static_cast<Wrap>(a) - static_cast<Wrap>(quotient) * static_cast<Wrap>(b));
  }
};

// The quotient must be in the range of the type.
template <typename T>
PENSTOCK_INLINE inline T cut(Real<T> quotient) {
  return static_cast<T>(static_cast<std::conditional_t<std::is_same_v<T, uint32_t>, uint32_t, int32_t>>(quotient));
}

// -1 is the one divisor that leads out of the range.
template <typename T>
PENSTOCK_INLINE inline T negated(T a) {
  return static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(a));
}
template <typename T>
PENSTOCK_INLINE inline bool is_minus_one(T divisor) {
  return std::is_signed_v<T> && divisor == static_cast<T>(-1);
}

// The reciprocal is made larger by more than its rounding error: a quotient that is whole must not come out below.
template <typename T>
Real<T> reciprocal(T divisor) {
  return 1 / static_cast<Real<T>>(divisor) * (1 + 2 * std::numeric_limits<Real<T>>::epsilon());
}

template <typename Rule>
void multiply_by_reciprocal(int32_t* out, const int32_t* in, int32_t divisor, int64_t n) {
  const DivisionFactor by(divisor);
  int64_t done = 0;
#ifdef PENSTOCK_X86
  constexpr auto kDivide = std::is_same_v<Rule, Quotient<int32_t>> ? quotients_avx2 : remainders_avx2;
  if (kHasAvx2) done = kDivide(out, in, by, n);
#endif
  for (int64_t i = done; i < n; ++i) out[i] = Rule()(in[i], divisor, by.quotient(in[i]));
}

template <typename T, typename Rule>
void divide_by_one(T* out, const T* in, T divisor, int64_t n) {
  if (divisor == 0) throw std::invalid_argument("Integer division by zero.");
  if constexpr (std::is_same_v<T, int32_t>) return multiply_by_reciprocal<Rule>(out, in, divisor, n);
  run_wide([=]() PENSTOCK_INLINE {
    if (is_minus_one(divisor)) {
      for (int64_t i = 0; i < n; ++i) out[i] = Rule()(in[i], divisor, negated(in[i]));
    } else if constexpr (kFitsReal<T>) {
      const Real<T> factor = reciprocal(divisor);
      for (int64_t i = 0; i < n; ++i) out[i] = Rule()(in[i], divisor, cut<T>(static_cast<Real<T>>(in[i]) * factor));
    } else {
      for (int64_t i = 0; i < n; ++i) out[i] = Rule()(in[i], divisor, in[i] / divisor);
    }
  });
}

template <typename T, typename Rule>
void divide_each(T* out, const T* a, const T* b, int64_t n) {
  if (std::find(b, b + n, T{0}) != b + n) throw std::invalid_argument("Integer division by zero.");
  run_wide([=]() PENSTOCK_INLINE {
    for (int64_t i = 0; i < n; ++i) {
      T quotient;
      if constexpr (kFitsReal<T>) {
        const bool turned = is_minus_one(b[i]);
        quotient = cut<T>(static_cast<Real<T>>(a[i]) / static_cast<Real<T>>(turned ? T{1} : b[i]));
        quotient = turned ? negated(a[i]) : quotient;
      } else {
        quotient = is_minus_one(b[i]) ? negated(a[i]) : a[i] / b[i];
      }
      out[i] = Rule()(a[i], b[i], quotient);
    }
  });
}

template <typename T, typename Rule>
void divide_row(std::byte* out, const std::byte* left, const std::byte* right, int64_t n) {
  T* to = reinterpret_cast<T*>(out);
  const T* a = reinterpret_cast<const T*>(left);
  const T* b = reinterpret_cast<const T*>(right);
  T difference = 0;
  for (int64_t i = 0; i < n; ++i) difference |= b[i] ^ b[0];
  if (difference)
    divide_each<T, Rule>(to, a, b, n);
  else if (n)
    divide_by_one<T, Rule>(to, a, b[0], n);
}

template <typename T, typename Rule>
void divide_row_by_one(std::byte* out, const std::byte* left, const std::byte* right, int64_t n) {
  divide_by_one<T, Rule>(reinterpret_cast<T*>(out), reinterpret_cast<const T*>(left),
                         *reinterpret_cast<const T*>(right), n);
}

template <template <typename> class Rule>
CombineRow division_of(DType dtype) {
  return visit(dtype, []<typename T>() -> CombineRow {
    if constexpr (std::is_integral_v<T>)
      return divide_row<T, Rule<T>>;
    else
      return nullptr;
  });
}

template <template <typename> class Rule>
CombineRow division_by_one_of(DType dtype) {
  return visit(dtype, []<typename T>() -> CombineRow {
    if constexpr (std::is_integral_v<T>)
      return divide_row_by_one<T, Rule<T>>;
    else
      return nullptr;
  });
}

}  // namespace

CombineRow quotient_row(DType dtype) { return division_of<Quotient>(dtype); }
CombineRow remainder_row(DType dtype) { return division_of<Remainder>(dtype); }
CombineRow quotient_by_one_row(DType dtype) { return division_by_one_of<Quotient>(dtype); }
CombineRow remainder_by_one_row(DType dtype) { return division_by_one_of<Remainder>(dtype); }

}  // namespace penstock
