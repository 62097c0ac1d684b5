#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "kernels/clones.h"
#include "kernels/draws.h"
#include "kernels/poisson.h"

namespace penstock {
namespace {

constexpr double kQuarterTurn = std::numbers::pi / 4;
constexpr double kOneArea = 1.0129030479320018583;  // exp(1 / 78), the area above 1

double log_of_factorial(double n) {
  static const auto table = [] {
    std::array<double, 2048> made;
    for (size_t i = 0; i < made.size(); ++i) made[i] = std::lgamma(static_cast<double>(i + 1));
    return made;
  }();
  return n < static_cast<double>(table.size()) ? table[static_cast<size_t>(n)] : std::lgamma(n + 1);
}

bool is_accepted(const LargePoisson& p, double x, double w, double e) {
  return w - e - x * p.log_mean <= p.log_factorial - log_of_factorial(x + p.whole);
}

/// Normally distributed numbers, made two at a time by Marsaglia's polar method.
class PolarNormal {
 public:
  double operator()(PhiloxReader& words) {
    if (has_other_) {
      has_other_ = false;
      return other_;
    }
    double x, y, square;
    do {
      x = 2 * unit<double>(words) - 1;
      y = 2 * unit<double>(words) - 1;
      square = x * x + y * y;
    } while (square > 1 || square == 0);
    const double factor = std::sqrt(-2 * std::log(square) / square);
    other_ = x * factor;
    has_other_ = true;
    return y * factor;
  }

 private:
  bool has_other_ = false;
  double other_ = 0;
};

}  // namespace

LargePoisson::LargePoisson(double mean) {
  whole = std::floor(mean);
  root = std::sqrt(whole);
  log_mean = std::log(mean);
  log_factorial = log_of_factorial(whole);
  const double wanted = std::sqrt(2 * whole * std::log(32 * whole / kQuarterTurn));
  reach = std::round(std::max(6.0, std::min(whole, wanted)));
  const double cx = 2 * whole + reach;
  spread = std::sqrt(cx / 2);
  per_cx = 1 / cx;
  c1 = root * 1.2533141373155002512;  // sqrt(pi / 2)
  c2 = std::sqrt(kQuarterTurn * cx) * std::exp(per_cx) + c1;
  c_all = 2 * cx * std::exp(-reach * per_cx * (1 + reach / 2)) / reach + (c2 + 1 + 1 + kOneArea);
}

double LargePoisson::operator()(PhiloxReader& words) const {
  PolarNormal normal;
  for (;;) {
    const double u = c_all * unit<double>(words), e = -std::log(1 - unit<double>(words));
    double x, w = 0;
    if (u <= c1) {
      const double n = normal(words);
      x = std::floor(-std::abs(n) * root - 1);
      w = -n * n / 2;
      if (x < -whole) continue;
    } else if (u <= c2) {
      const double y = 1 + std::abs(normal(words)) * spread;
      x = std::ceil(y);
      w = y * (2 - y) * per_cx;
      if (x > reach) continue;
    } else if (u <= c2 + 1) {
      x = -1;
    } else if (u <= c2 + 1 + 1) {
      x = 0;
    } else if (u <= c2 + 1 + 1 + kOneArea) {
      x = 1;
      w = 1.0 / 78;
    } else {
      const double v = -std::log(1 - unit<double>(words));
      const double y = reach + v * 2 * (2 * whole + reach) / reach;
      x = std::ceil(y);
      w = -reach * per_cx * (1 + y / 2);
    }
    if (is_accepted(*this, x, w, e)) return x + whole;
  }
}

namespace {

constexpr int kLanes = kDrawBlocks;
constexpr int kUnits = 6;
constexpr double kCompare = 0, kReject = 1, kRare = 2;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// One turn of the loop above for many elements at once, with two tries for the normal number.
struct Turn {
  double unit[kUnits][kLanes];
  double whole[kLanes], root[kLanes], reach[kLanes], spread[kLanes], per_cx[kLanes];
  double c1[kLanes], c2[kLanes], c_all[kLanes];
  double kept[kLanes];  // the normal number left from the turn before, or kNone

  double x[kLanes], w[kLanes], e[kLanes];
  double other[kLanes];  // the normal number left for the next turn
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
  double sum = 1.0 / 21;
  for (int k = 19; k > 0; k -= 2) sum = sum * z + 1.0 / k;
  return (halves ? next : exponent) * std::numbers::ln2 + 2 * s * sum;
}

PENSTOCK_CLONES void take_turn(Turn& t, int n) {
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
    const bool is_rare = is_tail | (draws_normal & misses1 & misses2);
    t.next[i] = is_rare ? kRare : is_outside ? kReject : kCompare;
  }
}

PENSTOCK_CLONES void units_of(double* out, const uint32_t* low, const uint32_t* high, int n) {
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
  uint64_t block[kLanes];
};

void read_units(Turn& turn, const Waiting& waiting, int start, const Philox& sequence) {
  Blocks words[4];
  uint64_t index[kLanes];
  const int blocks = (start + 2 * kUnits + 3) / 4;
  for (int b = 0; b < blocks; ++b) {
    for (int i = 0; i < waiting.n; ++i) index[i] = waiting.block[i] + static_cast<uint64_t>(b);
    draw_blocks(words[b], sequence, index, waiting.n);
  }
  for (int k = 0; k < kUnits; ++k) {
    const int low = start + 2 * k, high = low + 1;
    units_of(turn.unit[k], words[low / 4][low % 4], words[high / 4][high % 4], waiting.n);
  }
}

void read_distributions(Turn& turn, const Waiting& waiting) {
  for (int i = 0; i < waiting.n; ++i) {
    const LargePoisson& p = *waiting.distribution[i];
    turn.whole[i] = p.whole;
    turn.root[i] = p.root;
    turn.reach[i] = p.reach;
    turn.spread[i] = p.spread;
    turn.per_cx[i] = p.per_cx;
    turn.c1[i] = p.c1;
    turn.c2[i] = p.c2;
    turn.c_all[i] = p.c_all;
    turn.kept[i] = waiting.kept[i];
  }
}

}  // namespace

void draw_large_poisson(float* out, const int* element, const LargePoisson* const* distribution, int n,
                        const Philox& sequence, int64_t first) {
  if (n == 0) return;
  const auto position = [&](int place) {
    return sequence.phase + kWordsBetweenElements * static_cast<uint64_t>(first + place);
  };
  const int start = static_cast<int>(position(element[0]) % 4);  // every turn takes whole blocks, so it stays
  Waiting waiting;
  waiting.n = n;
  for (int i = 0; i < n; ++i) {
    waiting.place[i] = element[i];
    waiting.distribution[i] = distribution[i];
    waiting.kept[i] = kNone;
    waiting.block[i] = position(element[i]) / 4;
  }
  Turn turn;
  while (waiting.n > 0) {
    read_units(turn, waiting, start, sequence);
    read_distributions(turn, waiting);
    take_turn(turn, waiting.n);
    int left = 0;
    for (int i = 0; i < waiting.n; ++i) {
      const LargePoisson& p = *waiting.distribution[i];
      const int place = waiting.place[i];
      if (turn.next[i] == kRare) {
        PhiloxReader words(sequence, first + place);
        out[place] = static_cast<float>(p(words));
        continue;
      }
      out[place] = static_cast<float>(turn.x[i] + p.whole);
      if (turn.next[i] == kCompare && is_accepted(p, turn.x[i], turn.w[i], turn.e[i])) continue;
      waiting.place[left] = place;
      waiting.distribution[left] = &p;
      waiting.block[left] = waiting.block[i] + static_cast<uint64_t>(turn.read[i]);
      waiting.kept[left] = turn.other[i];
      ++left;
    }
    waiting.n = left;
  }
}

}  // namespace penstock
