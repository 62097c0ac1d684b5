// Fourier transforms of a few elements, in registers. Included by the stages of longer ones only.
#pragma once

#include <numbers>
#include <utility>

#include "cpu/vector_width.h"
#include "cpu/vectorize.h"
#include "kernels/fourier/fft_stages.h"

namespace penstock {

/// kWidth floats as a vector, and the same at any address.
template <int kWidth>
struct FloatVector {
  typedef float Type __attribute__((vector_size(kWidth * sizeof(float))));
  typedef float Stored __attribute__((vector_size(kWidth * sizeof(float)), aligned(alignof(float)), may_alias));
};
template <>
struct FloatVector<1> {
  using Type = float;
  using Stored = float;
};

/// A complex number of kWidth signals.
template <int kWidth>
struct Element {
  using Vector = typename FloatVector<kWidth>::Type;
  using Stored = typename FloatVector<kWidth>::Stored;

  Vector re, im;

  PENSTOCK_INLINE void load(const float* from_re, const float* from_im) {
    re = *reinterpret_cast<const Stored*>(from_re);
    im = *reinterpret_cast<const Stored*>(from_im);
  }
  PENSTOCK_INLINE void store(float* to_re, float* to_im) const {
    *reinterpret_cast<Stored*>(to_re) = re;
    *reinterpret_cast<Stored*>(to_im) = im;
  }
  PENSTOCK_INLINE void turn(Twiddle by) {
    const Vector turned = re * by.re - im * by.im;
    im = re * by.im + im * by.re;
    re = turned;
  }
  /// The same by -i.
  PENSTOCK_INLINE void turn_quarter() {
    const Vector turned = im;
    im = -re;
    re = turned;
  }
};

/// Calls `body` with the constants from 0 to kCount.
template <int kCount, typename Body>
PENSTOCK_INLINE inline void unrolled(Body&& body) {
  [&]<int... k>(std::integer_sequence<int, k...>) PENSTOCK_INLINE { (body(std::integral_constant<int, k>{}), ...); }
  (std::make_integer_sequence<int, kCount>{});
}

template <int kWidth>
PENSTOCK_INLINE inline void transform_two(Element<kWidth>& a, Element<kWidth>& b) {
  const Element<kWidth> first = a;
  a.re = first.re + b.re;
  a.im = first.im + b.im;
  b.re = first.re - b.re;
  b.im = first.im - b.im;
}

template <int kWidth>
PENSTOCK_INLINE inline void transform_four(Element<kWidth>& a, Element<kWidth>& b, Element<kWidth>& c,
                                           Element<kWidth>& d) {
  transform_two(a, c);
  transform_two(b, d);
  const Element<kWidth> sum = a, gap = c;
  const Element<kWidth> other = b, turned{d.im, -d.re};
  a.re = sum.re + other.re;
  a.im = sum.im + other.im;
  b.re = gap.re + turned.re;
  b.im = gap.im + turned.im;
  c.re = sum.re - other.re;
  c.im = sum.im - other.im;
  d.re = gap.re - turned.re;
  d.im = gap.im - turned.im;
}

/// Replaces kRadix elements by their transform.
template <int kRadix>
struct Butterfly;

template <>
struct Butterfly<2> {
  template <int kWidth>
  PENSTOCK_INLINE static void run(Element<kWidth>* x) {
    transform_two(x[0], x[1]);
  }
};

template <>
struct Butterfly<4> {
  template <int kWidth>
  PENSTOCK_INLINE static void run(Element<kWidth>* x) {
    transform_four(x[0], x[1], x[2], x[3]);
  }
};

template <>
struct Butterfly<8> {
  template <int kWidth>
  PENSTOCK_INLINE static void run(Element<kWidth>* x) {
    constexpr auto kRootHalf = static_cast<float>(1 / std::numbers::sqrt2);
    transform_four(x[0], x[2], x[4], x[6]);
    transform_four(x[1], x[3], x[5], x[7]);
    const Element<kWidth> first = x[3], third = x[7];
    x[3].re = (first.re + first.im) * kRootHalf;
    x[3].im = (first.im - first.re) * kRootHalf;
    x[5].turn_quarter();
    x[7].re = (third.im - third.re) * kRootHalf;
    x[7].im = (third.re + third.im) * -kRootHalf;
    transform_two(x[0], x[1]);
    transform_two(x[2], x[3]);
    transform_two(x[4], x[5]);
    transform_two(x[6], x[7]);
    const Element<kWidth> made[8] = {x[0], x[2], x[4], x[6], x[1], x[3], x[5], x[7]};
    unrolled<8>([&](auto k) PENSTOCK_INLINE { x[k] = made[k]; });
  }
};

/// An odd prime: elements j and kRadix - j go together, as do results k and kRadix - k.
template <int kRadix>
struct Butterfly {
  static constexpr int kHalf = kRadix / 2;
  struct Table {
    float cos[kHalf][kHalf], sin[kHalf][kHalf];
    Table() {
      for (int k = 0; k < kHalf; ++k)
        for (int j = 0; j < kHalf; ++j) {
          const Twiddle twiddle = twiddle_of((k + 1) * (j + 1), kRadix);
          cos[k][j] = twiddle.re;
          sin[k][j] = twiddle.im;
        }
    }
  };
  inline static const Table kTable;

  template <int kWidth>
  PENSTOCK_INLINE static void run(Element<kWidth>* x) {
    const Element<kWidth> first = x[0];
    Element<kWidth> sums[kHalf], gaps[kHalf];
    unrolled<kHalf>([&](auto j) PENSTOCK_INLINE {
      const Element<kWidth>&near = x[j + 1], &far = x[kRadix - 1 - j];
      sums[j].re = near.re + far.re;
      sums[j].im = near.im + far.im;
      gaps[j].re = near.re - far.re;
      gaps[j].im = near.im - far.im;
      x[0].re += sums[j].re;
      x[0].im += sums[j].im;
    });
    unrolled<kHalf>([&](auto k) PENSTOCK_INLINE {
      Element<kWidth> even = first, odd{};
      unrolled<kHalf>([&](auto j) PENSTOCK_INLINE {
        even.re += kTable.cos[k][j] * sums[j].re;
        even.im += kTable.cos[k][j] * sums[j].im;
        odd.re -= kTable.sin[k][j] * gaps[j].im;
        odd.im += kTable.sin[k][j] * gaps[j].re;
      });
      x[k + 1].re = even.re + odd.re;
      x[k + 1].im = even.im + odd.im;
      x[kRadix - 1 - k].re = even.re - odd.re;
      x[kRadix - 1 - k].im = even.im - odd.im;
    });
  }
};

/// Calls `body` with the size of a butterfly as a constant.
template <typename Body>
PENSTOCK_INLINE inline void for_radix(int radix, Body&& body) {
  switch (radix) {
    case 2:
      return body(std::integral_constant<int, 2>{});
    case 3:
      return body(std::integral_constant<int, 3>{});
    case 4:
      return body(std::integral_constant<int, 4>{});
    case 5:
      return body(std::integral_constant<int, 5>{});
    case 7:
      return body(std::integral_constant<int, 7>{});
    case 8:
      return body(std::integral_constant<int, 8>{});
    case 11:
      return body(std::integral_constant<int, 11>{});
    default:
      return body(std::integral_constant<int, 13>{});
  }
}

}  // namespace penstock
