#include "kernels/filter/weighted_sum.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "cpu/vectorize.h"
#include "kernels/filter/weighted_sum_avx2.h"
#include "kernels/filter/weighted_sum_neon.h"

namespace penstock {
namespace {

template <typename Sums>
PENSTOCK_INLINE inline auto product(typename Sums::Value a, typename Sums::Value weight) {
  // Rounded to the nearest; in this form compilers know the instruction that vectors have for it.
  if constexpr (std::is_same_v<Sums, Fixed16>)
    return static_cast<int16_t>((((int32_t{a} * weight) >> 14) + 1) >> 1);
  else
    return static_cast<typename Sums::Value>(a * weight);
}

// Sums are kept in memory between groups: so few rows at a time leave every pointer and weight in a register.
constexpr int kPairs = 4;

/// What pairs are added to: the weighted middle row, that and the sum there is, or the sum alone.
enum class Begin { at_middle, at_middle_and_sum, at_sum };

template <typename Sums, int kCount, Begin kBegin, typename T = typename Sums::Value>
void sum_weighted_pairs(T* out, const T* middle, const T* const* low, const T* const* high, const T* weight,
                        int64_t n) {
  struct Pair {
    const T *low, *high;
    T weight;
  } pair[kCount];
  for (int k = 0; k < kCount; ++k) pair[k] = {low[-k], high[k], weight[k]};
  const T middle_weight = kBegin == Begin::at_sum ? T{0} : weight[-1];
  run_wide([=]() PENSTOCK_INLINE {
    PENSTOCK_INDEPENDENT
    for (int64_t x = 0; x < n; ++x) {
      T sum = kBegin == Begin::at_middle ? T{0} : out[x];
      if constexpr (kBegin != Begin::at_sum) sum = static_cast<T>(sum + product<Sums>(middle[x], middle_weight));
      for (int k = 0; k < kCount; ++k)
        sum = static_cast<T>(sum + product<Sums>(static_cast<T>(pair[k].low[x] + pair[k].high[x]), pair[k].weight));
      out[x] = sum;
    }
  });
}

template <typename Sums, int kCount, bool kAdds, typename T = typename Sums::Value>
void sum_weighted_singles(T* out, const T* const* row, const T* weight, int64_t n) {
  struct Single {
    const T* row;
    T weight;
  } single[kCount];
  for (int k = 0; k < kCount; ++k) single[k] = {row[k], weight[k]};
  run_wide([=]() PENSTOCK_INLINE {
    PENSTOCK_INDEPENDENT
    for (int64_t x = 0; x < n; ++x) {
      T sum = kAdds ? out[x] : T{0};
      for (int k = 0; k < kCount; ++k) sum = static_cast<T>(sum + product<Sums>(single[k].row[x], single[k].weight));
      out[x] = sum;
    }
  });
}

constexpr int kVectorBytes = 32;

/// Sums of so many vectors from x on. They stay in registers, which takes compilers arrays of vectors to see.
template <int kVectors, typename T>
PENSTOCK_INLINE inline void sum_vectors(T* out, const T* const* row, const T* weight, int64_t count, int64_t x) {
  typedef T Vector __attribute__((vector_size(kVectorBytes)));
  constexpr int kLanes = kVectorBytes / sizeof(T);
  Vector sum[kVectors];
  for (Vector& s : sum) s = Vector{};
  for (int64_t k = 0; k < count; ++k) {
    for (int i = 0; i < kVectors; ++i) {
      Vector in;
      std::memcpy(&in, row[k] + x + i * kLanes, sizeof in);
      sum[i] += in * weight[k];
    }
  }
  for (int i = 0; i < kVectors; ++i) std::memcpy(out + x + i * kLanes, &sum[i], sizeof(Vector));
}

using SumsByVectors = bool (*)(int16_t*, const int16_t* const*, const int16_t*, int, int64_t, bool);

/// What does the symmetric sums of Fixed16 in all but the shortest rows, where there is something.
SumsByVectors sums_by_vectors() {
#if defined(PENSTOCK_NEON)
  return symmetric_weighted_sum_neon;
#elif defined(PENSTOCK_X86)
  return kHasAvx2 ? symmetric_weighted_sum_avx2 : nullptr;
#else
  return nullptr;
#endif
}

/// Calls `body` with a number up to kMost as a constant.
template <int kMost, typename Body>
void with_constant(int64_t n, Body&& body) {
  if constexpr (kMost > 0) {
    if (n == kMost) return body(std::integral_constant<int, kMost>{});
    with_constant<kMost - 1>(n, body);
  }
}

}  // namespace

template <typename Sums, typename T>
void symmetric_weighted_sum(T* out, const T* const* row, const T* weight, int radius, int64_t n, bool adds) {
  const T* const* middle = row + radius;
  if constexpr (std::is_same_v<Sums, Fixed16>) {
    const auto by_vectors = sums_by_vectors();
    if (by_vectors && by_vectors(out, row, weight, radius, n, adds)) return;
  }
  if (radius == 0) {
    const auto alone = adds ? sum_weighted_singles<Sums, 1, true> : sum_weighted_singles<Sums, 1, false>;
    return alone(out, middle, weight, n);
  }
  for (int k = 1; k <= radius; k += kPairs)
    with_constant<kPairs>(std::min(kPairs, radius + 1 - k), [&](auto count) {
      using enum Begin;
      const auto pairs = k > 1  ? sum_weighted_pairs<Sums, count.value, at_sum>
                         : adds ? sum_weighted_pairs<Sums, count.value, at_middle_and_sum>
                                : sum_weighted_pairs<Sums, count.value, at_middle>;
      pairs(out, *middle, middle - k, middle + k, weight + k, n);
    });
}

template <typename Sums, typename T>
void weighted_sum(T* out, const T* const* row, const T* weight, int64_t count, int64_t n) {
  constexpr int kMany = 8, kLanes = kVectorBytes / sizeof(T);
  run_wide([=]() PENSTOCK_INLINE {
    int64_t x = 0;
    for (; x + kMany * kLanes <= n; x += kMany * kLanes) sum_vectors<kMany>(out, row, weight, count, x);
    for (; x + kLanes <= n; x += kLanes) sum_vectors<1>(out, row, weight, count, x);
    for (; x < n; ++x) {
      T sum{};
      for (int64_t k = 0; k < count; ++k) sum = static_cast<T>(sum + row[k][x] * weight[k]);
      out[x] = sum;
    }
  });
}

template void symmetric_weighted_sum<Fixed16>(int16_t*, const int16_t* const*, const int16_t*, int, int64_t, bool);
template void symmetric_weighted_sum<Whole16>(int16_t*, const int16_t* const*, const int16_t*, int, int64_t, bool);
template void symmetric_weighted_sum<Float32>(float*, const float* const*, const float*, int, int64_t, bool);
template void symmetric_weighted_sum<Float64>(double*, const double* const*, const double*, int, int64_t, bool);
template void weighted_sum<Whole16>(int16_t*, const int16_t* const*, const int16_t*, int64_t, int64_t);
template void weighted_sum<Float32>(float*, const float* const*, const float*, int64_t, int64_t);

}  // namespace penstock
