#include "kernels/audio/sinc_filter.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <numeric>

#include "cpu/vectorize.h"
#include "kernels/elements/convert.h"

namespace penstock {
namespace {

constexpr int kFilterLanes = 8;
constexpr int64_t kResultBlock = 1024;     // results at a time
constexpr int64_t kTableFloats = 1 << 15;  // 128 kB of weights stay in the second-level cache
typedef float Vector __attribute__((vector_size(kFilterLanes * sizeof(float))));
typedef float Quad __attribute__((vector_size(kFilterLanes / 2 * sizeof(float))));

int lobes_of(double quality) { return static_cast<int>(std::lround(0.007 * quality * quality - 0.09 * quality + 3)); }

// Vectors wider than the baseline's are not passed to or from functions, not even inlined ones: compilers warn.
PENSTOCK_INLINE inline void load(Vector& value, const float* from) { std::memcpy(&value, from, sizeof value); }

PENSTOCK_INLINE inline float sum_of(const Vector& sum) {
  Quad halves[2];
  std::memcpy(halves, &sum, sizeof sum);
  const Quad half = halves[0] + halves[1];
  return (half[0] + half[1]) + (half[2] + half[3]);
}

/// A result: where its first input sample is, and its weights.
struct Tap {
  const float* in;
  const float* row;
  float share;
};

void filter_rows(float* out, const Tap* taps, int64_t n, int count) {
  run_wide([=]() PENSTOCK_INLINE {
    for (int64_t i = 0; i < n; ++i) {
      Vector sum{}, x, weight;
      for (int k = 0; k < count; k += kFilterLanes) {
        load(x, taps[i].in + k);
        load(weight, taps[i].row + k);
        sum += x * weight;
      }
      out[i] = sum_of(sum);
    }
  });
}

void filter_between_rows(float* out, const Tap* taps, int64_t n, int count) {
  run_wide([=]() PENSTOCK_INLINE {
    for (int64_t i = 0; i < n; ++i) {
      Vector sum{}, change{}, x, weight, next;
      for (int k = 0; k < count; k += kFilterLanes) {
        load(x, taps[i].in + k);
        load(weight, taps[i].row + k);
        load(next, taps[i].row + count + k);
        sum += x * weight;
        change += x * (next - weight);
      }
      sum += taps[i].share * change;
      out[i] = sum_of(sum);
    }
  });
}

/// Goes from result to result through the input: result i lies at i * in / out, exactly where rates are whole numbers.
class Cursor {
 public:
  explicit Cursor(Rates rates) : step_(rates.in / rates.out) {
    constexpr double kMost = 1 << 24;
    double in = rates.in, out = rates.out;
    for (int i = 0; i < 24 && (in != std::floor(in) || out != std::floor(out)); ++i) in *= 2, out *= 2;
    if (in != std::floor(in) || out != std::floor(out) || in >= 0x1p60 || out >= 0x1p60) return;
    const auto common = static_cast<double>(std::gcd(static_cast<int64_t>(in), static_cast<int64_t>(out)));
    if (in / common > kMost || out / common > kMost) return;
    in_ = static_cast<int64_t>(in / common);
    period_ = static_cast<int64_t>(out / common);
    part_ = 1 / static_cast<double>(period_);
  }

  void go_to(int64_t i) {
    at_ = i;
    whole_ = period_ ? i / period_ * in_ + i % period_ * in_ / period_ : static_cast<int64_t>(step_ * i);
    rest_ = period_ ? i % period_ * in_ % period_ : 0;
  }
  void advance() {
    if (!period_) return go_to(at_ + 1);
    whole_ += in_ / period_;
    rest_ += in_ % period_;
    if (rest_ < period_) return;
    ++whole_;
    rest_ -= period_;
  }

  /// The input sample at or before the result, and how far behind it the result is.
  int64_t whole() const { return whole_; }
  double fraction() const {
    return period_ ? static_cast<double>(rest_) * part_
                   : step_ * static_cast<double>(at_) - static_cast<double>(whole_);
  }
  /// How many fractions there are, 0 where they do not repeat, and which of them this is.
  int64_t period() const { return period_; }
  int64_t rest() const { return rest_; }

 private:
  double step_, part_ = 0;
  int64_t in_ = 0, period_ = 0;
  int64_t at_ = 0, whole_ = 0, rest_ = 0;
};

template <typename T>
void load_channel(float* out, const T* in, int64_t n, int64_t stride, Level level) {
  const auto scale = static_cast<float>(1 / level.unit), zero = static_cast<float>(level.zero / level.unit);
  run_wide([=]() PENSTOCK_INLINE {
    for (int64_t i = 0; i < n; ++i) out[i] = static_cast<float>(in[i * stride]) * scale - zero;
  });
}

template <typename T>
void store_channel(T* out, const float* in, int64_t n, int64_t stride, Level level) {
  using Wide = std::conditional_t<sizeof(T) < 4 || std::is_same_v<T, float>, float, double>;
  const auto unit = static_cast<Wide>(level.unit), zero = static_cast<Wide>(level.zero);
  for (int64_t i = 0; i < n; ++i) out[i * stride] = rounded<T>(static_cast<Wide>(in[i]) * unit + zero);
}

template <typename Body>
void visit_element(DType dtype, Body&& body) {
  visit(dtype, [&]<typename T>() {
    if constexpr (std::is_same_v<T, float> || (std::is_integral_v<T> && sizeof(T) <= 4)) body.template operator()<T>();
  });
}

class Resampling {
 public:
  Resampling(View out, Level out_level, ConstView in, Level in_level, Rates rates, const SincFilter& filter,
             Scratch& scratch)
      : out_(out), in_(in), out_level_(out_level), in_level_(in_level), filter_(filter), cursor_(rates) {
    length_ = in.shape[0];
    channels_ = in.shape.ndim == 2 ? in.shape[1] : 1;
    const double step = rates.in / rates.out;
    block_ = std::clamp<int64_t>(static_cast<int64_t>(kResultBlock / std::max(step, 1e-9)), 1, kResultBlock);
    const auto span = static_cast<int64_t>(static_cast<double>(block_) * step) + filter.taps() + 2;
    const int64_t period = cursor_.period();
    const bool tabulated = period > 0 && 2 * period <= out.shape[0] && period * filter.taps() <= kTableFloats;
    float* memory = scratch.array<float>(kStepTemp, span + block_ + (tabulated ? period * filter.taps() : 0));
    signal_ = memory;
    result_ = memory + span;
    taps_ = scratch.array<Tap>(kStepTables, block_);
    if (tabulated) tabulate(memory + span + block_);
  }

  void run() {
    cursor_.go_to(0);
    for (int64_t first = 0; first < out_.shape[0]; first += block_) {
      const int64_t n = std::min(block_, out_.shape[0] - first);
      const int64_t start = cursor_.whole();
      int64_t last = start;
      for (int64_t i = 0; i < n; ++i, cursor_.advance()) {
        last = cursor_.whole();
        taps_[i] = tap(last - start);
      }
      for (int64_t c = 0; c < channels_; ++c) {
        load(start + 1 - filter_.before(), last + 1 - filter_.before() + filter_.taps(), c);
        (table_ ? filter_rows : filter_between_rows)(result_, taps_, n, filter_.taps());
        store(first, n, c);
      }
    }
  }

 private:
  /// The weights of every place there is, so that none is calculated twice.
  void tabulate(float* table) {
    const int taps = filter_.taps();
    for (int64_t i = 0; i < cursor_.period(); ++i) {
      const SincFilter::Place place = filter_.place(static_cast<double>(i) / static_cast<double>(cursor_.period()));
      for (int k = 0; k < taps; ++k)
        table[i * taps + k] = place.row[k] + place.share * (place.row[k + taps] - place.row[k]);
    }
    table_ = table;
  }

  Tap tap(int64_t offset) const {
    if (table_) return {signal_ + offset, table_ + cursor_.rest() * filter_.taps(), 0};
    const SincFilter::Place place = filter_.place(cursor_.fraction());
    return {signal_ + offset, place.row, place.share};
  }

  /// Brings the samples [start, end) of a channel into `signal_`, silence where there are none.
  void load(int64_t start, int64_t end, int64_t channel) const {
    const int64_t from = std::max<int64_t>(start, 0), to = std::min(end, length_);
    std::fill(signal_, signal_ + (from - start), 0.0f);
    std::fill(signal_ + (to - start), signal_ + (end - start), 0.0f);
    visit_element(in_.dtype, [&]<typename T>() {
      load_channel(signal_ + (from - start), in_.as<T>() + from * channels_ + channel, to - from, channels_, in_level_);
    });
  }

  void store(int64_t first, int64_t n, int64_t channel) const {
    visit_element(out_.dtype, [&]<typename T>() {
      store_channel(out_.as<T>() + first * channels_ + channel, result_, n, channels_, out_level_);
    });
  }

  View out_;
  ConstView in_;
  Level out_level_, in_level_;
  const SincFilter& filter_;
  Cursor cursor_;
  int64_t length_, channels_, block_;
  float *signal_, *result_;
  const float* table_ = nullptr;
  Tap* taps_;
};

}  // namespace

SincFilter::SincFilter(double quality)
    : lobes_(lobes_of(quality)),
      taps_((2 * lobes_ + kFilterLanes - 1) / kFilterLanes * kFilterLanes),
      rows_((kSteps + 1) * taps_) {
  for (int step = 0; step <= kSteps; ++step)
    for (int k = 0; k < 2 * lobes_; ++k) {
      const double x = k + 1 - lobes_ - static_cast<double>(step) / kSteps, angle = std::numbers::pi * x;
      const bool whole = step % kSteps == 0;
      const double sinc = x == 0 ? 1 : whole ? 0 : std::sin(angle) / angle;
      // The window ends half a step behind the last lobe.
      rows_[step * taps_ + k] = static_cast<float>(sinc * (0.5 + 0.5 * std::cos(angle / (lobes_ + 0.5 / kSteps))));
    }
}

void resample_signal(View out, Level out_level, ConstView in, Level in_level, Rates rates, const SincFilter& filter,
                     Scratch& scratch) {
  if (out.shape.volume() > 0) Resampling(out, out_level, in, in_level, rates, filter, scratch).run();
}

double resampled_length(int64_t n, Rates rates) { return std::ceil(static_cast<double>(n) * rates.out / rates.in); }

}  // namespace penstock
