// How elements are put together, for each kind of reduction. Included by reduce_blocks.h only.
#pragma once

#include <limits>
#include <type_traits>

#include "cpu/vectorize.h"

namespace penstock::reduce_rules {

// A rule reduces elements T into lanes, side by side in a vector register, and lanes into totals. A lane takes kRun
// elements and is joined with up to 511 others before it goes to a total: so many fit without overflow. Rows are laid
// side by side until they take kLanes. Where it kIsCentred, a term depends on the centre of its place. Where its lanes
// kFitRegisters, kLanes of them are 256 bytes of elements, which `join_vectors` joins as vectors.

template <typename T>
constexpr bool kIsSmall = std::is_integral_v<T> && sizeof(T) <= 2;

struct Addition {
  static constexpr bool kIsCentred = false, kFitRegisters = false;
  static constexpr int64_t kLanes = 512;
  template <typename Number>
  static constexpr Number nothing() {
    return 0;
  }
  template <typename Number>
  PENSTOCK_INLINE static Number join(Number a, Number b) {
    return static_cast<Number>(a + b);
  }
  /// In pairs, which rounds less than one after the other.
  template <typename Number>
  PENSTOCK_INLINE static Number join4(Number total, Number a, Number b, Number c, Number d) {
    return join(total, join(join(a, b), join(c, d)));
  }
};

/// Signed numbers of 64 bits are added as unsigned ones, for which wrapping is defined.
template <typename Element>
struct Sum : Addition {
  using T = Element;
  using Total = std::conditional_t<std::is_signed_v<T> && sizeof(T) < 8, int64_t, uint64_t>;
  using Small = std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>;
  using Lane = std::conditional_t<kIsSmall<T>, Small, Total>;
  static constexpr int64_t kRun = sizeof(T) == 2 ? 64 : 4096;
  PENSTOCK_INLINE static Lane term(T x, float) { return static_cast<Lane>(x); }
};

template <typename Element>
struct RealSum : Addition {
  using T = Element;
  using Total = double;
  using Lane = std::conditional_t<std::is_same_v<T, float>, float, double>;
  static constexpr int64_t kRun = 16;
  PENSTOCK_INLINE static Lane term(T x, float) { return static_cast<Lane>(x); }
};

template <typename Element>
struct Squares : Addition {
  using T = Element;
  using Total = double;
  using Wide = std::conditional_t<std::is_same_v<T, float>, float, double>;
  using Lane = std::conditional_t<sizeof(T) == 1, uint32_t, Wide>;
  static constexpr int64_t kRun = 16;
  PENSTOCK_INLINE static Lane term(T x, float) {
    if constexpr (sizeof(T) == 1) {
      return static_cast<Lane>(x * x);
    } else {
      const auto wide = static_cast<Lane>(x);
      return wide * wide;
    }
  }
};

template <typename Element>
struct Deviations : Addition {
  using T = Element;
  using Total = double;
  using Lane = std::conditional_t<kIsSmall<T> || std::is_same_v<T, float>, float, double>;
  static constexpr bool kIsCentred = true;
  static constexpr int64_t kRun = 16;
  PENSTOCK_INLINE static Lane term(T x, float centre) {
    const Lane distance = static_cast<Lane>(x) - static_cast<Lane>(centre);
    return distance * distance;
  }
};

/// NaN is passed over: no comparison with it is true, so `a` stays, which never is NaN.
template <typename Element, bool kLeast>
struct Extreme {
  using T = Element;
  using Total = T;
  using Lane = T;
  static constexpr bool kIsCentred = false, kFitRegisters = true;
  static constexpr int64_t kRun = 1 << 20;
  static constexpr int64_t kLanes = 256 / sizeof(T);
  template <typename Number>
  static constexpr Number nothing() {
    return kLeast ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
  }
  PENSTOCK_INLINE static T term(T x, float) { return x; }
  PENSTOCK_INLINE static T join(T a, T b) { return (kLeast ? b < a : a < b) ? b : a; }
  template <typename Vector>
  PENSTOCK_INLINE static void join_vectors(Vector& a, const Vector& b) {
    a = (kLeast ? b < a : a < b) ? b : a;
  }
  PENSTOCK_INLINE static T join4(T best, T a, T b, T c, T d) { return join(join(join(join(best, a), b), c), d); }
};

}  // namespace penstock::reduce_rules
