#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "cpu/newest.h"
#include "kernels/random/draws.h"
#include "kernels/random/logarithm.h"
#include "kernels/random/poisson.h"

namespace penstock {
namespace {

constexpr int kLanes = kDrawBlocks;
constexpr int kUnitsPerRound = 6;
constexpr double kCompare = 0, kReject = 1, kTryAgain = 2, kRare = 3;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// One round of the loop in LargePoisson for many elements at once, with two tries for the normal number.
struct Round {
  double unit[kUnitsPerRound][kLanes];
  double whole[kLanes], root[kLanes], reach[kLanes], spread[kLanes], per_cx[kLanes];
  double c1[kLanes], c2[kLanes], c_all[kLanes];
  double kept[kLanes];  // the normal number left from the round before, or kNone

  double x[kLanes], w[kLanes], e[kLanes];
  double other[kLanes];  // the normal number left for the next round
  // Numbers, not flags, so that all lanes are of one width: blocks that were read; what is to be done, kCompare to
  // kRare.
  double read[kLanes], next[kLanes];
};

/// The logarithm of a positive, normal x within two units in the last place: enough where it only decides.
inline double near_log(double x) {
  const uint64_t bits = std::bit_cast<uint64_t>(x);
  const double mantissa = std::bit_cast<double>((bits & 0xfffffffffffff) | 0x3ff0000000000000);
  const bool halves = mantissa > std::numbers::sqrt2;
  // The exponent as a double without a conversion, which vectors of 64-bit numbers rarely have.
  const double exponent = std::bit_cast<double>((bits >> 52) | 0x4330000000000000) - (0x1p52 + 1023);
  const double half = mantissa * 0.5, next = exponent + 1, m = halves ? half : mantissa;
  const double s = (m - 1) / (m + 1), z = s * s;
  const double sum =
      series(z, 1.0, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21);
  return (halves ? next : exponent) * std::numbers::ln2 + 2 * s * sum;
}

PENSTOCK_INLINE inline void take_round(Round& t, int n) {
  for (int i = 0; i < n; ++i) {
    const double u = t.c_all[i] * t.unit[0][i];
    t.e[i] = -near_log(1 - t.unit[1][i]);
    const double x1 = 2 * t.unit[2][i] - 1, y1 = 2 * t.unit[3][i] - 1, square1 = x1 * x1 + y1 * y1;
    const double x2 = 2 * t.unit[4][i] - 1, y2 = 2 * t.unit[5][i] - 1, square2 = x2 * x2 + y2 * y2;
    const bool misses1 = (square1 > 1) | (square1 == 0), misses2 = (square2 > 1) | (square2 == 0);
    const double square = misses1 ? square2 : square1;
    const double factor = std::sqrt(std::abs(-2 * near_log(square) / square));
    const bool has_kept = t.kept[i] == t.kept[i];
    const double normal = has_kept ? t.kept[i] : (misses1 ? y2 : y1) * factor;
    const double other = (misses1 ? x2 : x1) * factor;

    const double left = std::floor(-std::abs(normal) * t.root[i] - 1), left_w = -normal * normal / 2;
    const double y = 1 + std::abs(normal) * t.spread[i], right = std::ceil(y), right_w = y * (2 - y) * t.per_cx[i];
    const double c3 = t.c2[i] + 1, c4 = c3 + 1, c5 = c4 + kOneArea;
    const bool is_left = u <= t.c1[i], is_side = u <= t.c2[i], is_before = u <= c3, is_low = u <= c4, is_tail = u > c5;
    const double middle = is_before ? -1.0 : is_low ? 0.0 : 1.0, middle_w = is_low ? 0.0 : 1.0 / 78;
    t.x[i] = is_side ? (is_left ? left : right) : middle;
    t.w[i] = is_side ? (is_left ? left_w : right_w) : middle_w;
    const bool draws_normal = is_side & !has_kept;
    t.other[i] = is_side ? (has_kept ? kNone : other) : t.kept[i];
    t.read[i] = draws_normal ? (misses1 ? 3.0 : 2.0) : 1.0;
    const bool too_low = left<-t.whole[i], too_high = right> t.reach[i];
    const bool is_outside = is_side & ((is_left & too_low) | (!is_left & too_high));
    const bool misses = draws_normal & misses1 & misses2;
    const double found = is_outside ? kReject : kCompare, tried = misses ? kTryAgain : found;
    t.next[i] = is_tail ? kRare : tried;
  }
}

PENSTOCK_INLINE inline void units_of(double* out, const uint32_t* low, const uint32_t* high, int n) {
  for (int i = 0; i < n; ++i) {
    const double word = static_cast<double>(high[i]) * 0x1p32 + static_cast<double>(low[i]);
    out[i] = std::min(word * 0x1p-64, 1 - 0x1p-53);
  }
}

/// Elements that have no number yet.
struct Waiting {
  int n = 0;
  int place[kLanes];
  const LargePoisson* distribution[kLanes];
  double kept[kLanes];
  double held[2][kLanes];  // the first two units, where only the tries for the normal number are to be repeated
  uint64_t block[kLanes];
};

void read_units(Round& round, const Waiting& waiting, int start, PhiloxTiles& tiles) {
  Blocks words[4];
  tiles.read_blocks(words, (start + 2 * kUnitsPerRound + 3) / 4, waiting.block, waiting.n);
  for (int k = 0; k < kUnitsPerRound; ++k) {
    const int low = start + 2 * k, high = low + 1;
    newest<units_of>(round.unit[k], words[low / 4][low % 4], words[high / 4][high % 4], waiting.n);
  }
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < waiting.n; ++i) {
      const double held = waiting.held[k][i], unit = round.unit[k][i];
      round.unit[k][i] = held == held ? held : unit;
    }
}

void read_distributions(Round& round, const Waiting& waiting) {
  for (int i = 0; i < waiting.n; ++i) {
    const LargePoisson& p = *waiting.distribution[i];
    round.whole[i] = p.whole;
    round.root[i] = p.root;
    round.reach[i] = p.reach;
    round.spread[i] = p.spread;
    round.per_cx[i] = p.per_cx;
    round.c1[i] = p.c1;
    round.c2[i] = p.c2;
    round.c_all[i] = p.c_all;
    round.kept[i] = waiting.kept[i];
  }
}

/// Puts down what the round found. Of the elements that have no number yet, `waiting` is left.
void end_round(float* out, const Round& round, Waiting& waiting, const Philox& sequence, int64_t first) {
  int left = 0;
  for (int i = 0; i < waiting.n; ++i) {
    const LargePoisson& p = *waiting.distribution[i];
    const int place = waiting.place[i];
    if (round.next[i] == kRare) {
      PhiloxReader words(sequence, first + place);
      out[place] = static_cast<float>(p(words));
      continue;
    }
    out[place] = static_cast<float>(round.x[i] + p.whole);
    const bool is_done = round.next[i] == kCompare && p.accepts(round.x[i], round.w[i], round.e[i]);
    // Written without asking, which would be guessed wrong too often.
    const bool tries_again = round.next[i] == kTryAgain;
    waiting.place[left] = place;
    waiting.distribution[left] = &p;
    waiting.block[left] = waiting.block[i] + (tries_again ? 2 : static_cast<uint64_t>(round.read[i]));
    waiting.kept[left] = tries_again ? kNone : round.other[i];
    for (int k = 0; k < 2; ++k) waiting.held[k][left] = tries_again ? round.unit[k][i] : kNone;
    left += !is_done;
  }
  waiting.n = left;
}

}  // namespace

void draw_large_poisson(float* out, const int* element, const LargePoisson* const* distribution, int n,
                        PhiloxTiles& tiles, int64_t first) {
  if (n == 0) return;
  const auto position = [&](int place) {
    return tiles.sequence().phase + kWordsBetweenElements * static_cast<uint64_t>(first + place);
  };
  const int start = static_cast<int>(position(element[0]) % 4);  // every round takes whole blocks, so it stays
  Waiting waiting;
  Round round;
  for (int begun = 0; begun < n || waiting.n > 0;) {
    for (; begun < n && waiting.n < kLanes; ++begun, ++waiting.n) {
      const int i = waiting.n;
      waiting.place[i] = element[begun];
      waiting.distribution[i] = distribution[begun];
      waiting.kept[i] = waiting.held[0][i] = waiting.held[1][i] = kNone;
      waiting.block[i] = position(element[begun]) / 4;
    }
    read_units(round, waiting, start, tiles);
    read_distributions(round, waiting);
    newest<take_round>(round, waiting.n);
    end_round(out, round, waiting, tiles.sequence(), first);
  }
}

}  // namespace penstock
