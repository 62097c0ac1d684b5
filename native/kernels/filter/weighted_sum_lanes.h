// symmetric_weighted_sum of Fixed16 in vectors. Included by one file for each kind of processor, which defines
// PENSTOCK_LANES, what to compile for, before, and
//   Lanes          a vector of uint16_t, whose sums wrap around
//   product(a, b)  the products of numbers with 15 bits behind the point, as int16_t, rounded to the nearest
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace penstock {
namespace {

constexpr int kLanes = sizeof(Lanes) / sizeof(int16_t);
// Sums are kept in memory between groups: so few rows at a time leave every pointer and weight in a register.
constexpr int kMostPairs = 4;

PENSTOCK_LANES inline Lanes load(const int16_t* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

PENSTOCK_LANES inline Lanes everywhere(int16_t weight) { return Lanes{} + static_cast<uint16_t>(weight); }

/// Sums of pairs of rows from `first` on, added to the weighted middle row, to what there is, or to both.
template <int kPairs, bool kHasMiddle, bool kAdds>
PENSTOCK_LANES void put_sums(int16_t* out, const int16_t* const* middle, const int16_t* weight, int first, int64_t n) {
  const int16_t *low[std::max(kPairs, 1)], *high[std::max(kPairs, 1)], *const center = *middle;
  Lanes factor[std::max(kPairs, 1)];
  const Lanes center_factor = everywhere(weight[0]);
  for (int k = 0; k < kPairs; ++k) {
    low[k] = middle[-first - k];
    high[k] = middle[first + k];
    factor[k] = everywhere(weight[first + k]);
  }
  const auto put = [&](int64_t x, Lanes sum) PENSTOCK_LANES {
    if (kHasMiddle) sum += product(load(center + x), center_factor);
    for (int k = 0; k < kPairs; ++k) sum += product(load(low[k] + x) + load(high[k] + x), factor[k]);
    std::memcpy(out + x, &sum, sizeof sum);
  };
  // The last vector overlaps the one before it, which writes to what it is added to.
  const int64_t last = n - kLanes;
  const Lanes last_begin = kAdds ? load(out + last) : Lanes{};
  for (int64_t x = 0; x < last; x += kLanes) put(x, kAdds ? load(out + x) : Lanes{});
  put(last, last_begin);
}

using PutSums = void (*)(int16_t*, const int16_t* const*, const int16_t*, int, int64_t);

template <bool kHasMiddle, bool kAdds>
constexpr PutSums kSumsOfPairs[kMostPairs + 1] = {put_sums<0, kHasMiddle, kAdds>, put_sums<1, kHasMiddle, kAdds>,
                                                  put_sums<2, kHasMiddle, kAdds>, put_sums<3, kHasMiddle, kAdds>,
                                                  put_sums<4, kHasMiddle, kAdds>};

/// Returns false, having done nothing, where rows are shorter than a vector.
bool put_symmetric_sums(int16_t* out, const int16_t* const* row, const int16_t* weight, int radius, int64_t n,
                        bool adds) {
  if (n < kLanes) return false;
  const int16_t* const* middle = row + radius;
  const PutSums* first_sums = adds ? kSumsOfPairs<true, true> : kSumsOfPairs<true, false>;
  first_sums[std::min(radius, kMostPairs)](out, middle, weight, 1, n);
  for (int k = 1 + kMostPairs; k <= radius; k += kMostPairs)
    kSumsOfPairs<false, true>[std::min(radius + 1 - k, kMostPairs)](out, middle, weight, k, n);
  return true;
}

}  // namespace
}  // namespace penstock
