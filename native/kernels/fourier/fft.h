// Fourier transforms of any length, of several signals side by side.
#pragma once

#include <memory>
#include <span>

#include "kernels/fourier/fft_stages.h"
#include "kernels/fourier/lines.h"

namespace penstock {

/// The complex transform, sum of x[j] exp(-2 pi i j k / n).
class Fft {
 public:
  explicit Fft(int64_t n);

  /// Elements of a lane that each plane must have room for.
  int64_t room() const { return around_ ? around_->size_ : size_; }

  /// What it is made of, none where it is not made of stages alone.
  std::span<const FftStage> stages() const { return stages_; }

  /// Transforms `data`, using both; returns which of the two holds the result.
  Planes run(Planes data, Planes other, int64_t lanes) const;

 private:
  void plan_passes(const std::vector<int>& radices);
  void plan_chirp();
  void plan_square(const std::vector<int>& radices);
  Planes run_chirp(Planes data, Planes other, int64_t lanes) const;
  Planes run_square(Planes data, Planes other) const;

  int64_t size_;
  std::vector<FftStage> stages_;
  // Lengths with a large prime factor are a convolution with a chirp, by transforms of a power of two (Bluestein).
  std::unique_ptr<Fft> around_;
  std::vector<Twiddle> chirp_, filter_;
  // A single long signal is a matrix whose columns are the lanes, then one whose rows are, so that there are many.
  std::unique_ptr<Fft> columns_, rows_;
  std::vector<Twiddle> between_;
};

/// Magnitudes of the spectrum of real signals.
class PowerFft {
 public:
  explicit PowerFft(int64_t n);

  int64_t size() const { return size_; }
  int64_t bins() const { return size_ / 2 + 1; }
  /// How many signals to do at once at most, so that they stay in the cache.
  int64_t most_lanes() const;
  int64_t work_floats(int64_t lanes) const { return 4 * lanes * fft_.room(); }

  /// Where in the working memory element i of every lane belongs; all must be there before `run`.
  float* row(float* work, int64_t i, int64_t lanes) const {
    return work + (halved() ? i % 2 * fft_.room() + i / 2 : i) * lanes;
  }
  /// Puts `count` elements of every lane there, and zeros behind them.
  void fill(float* work, const float* block, int64_t count, int64_t lanes) const;
  /// Squared magnitudes, or with `root` plain ones: a row of lanes in `out` for every bin.
  void run(float* out, float* work, int64_t lanes, bool root) const;

  /// Whether `run_rows` can be used.
  bool takes_rows() const { return halved() && fft_.stages().size() > 1 && most_lanes() == kLanes; }
  /// Weighted rows, one for each element of a signal, in the order in which `run_rows` takes them.
  std::vector<WeightedRow> in_order(const std::vector<WeightedRow>& rows) const {
    return in_stage_order(fft_.stages().front(), rows);
  }
  /// The same for kLanes signals whose elements are the weighted rows of `list`, which is in its order, so that neither
  /// these nor the complex spectrum are stored.
  /// On the way it asks for memory: `stores`, where the caller will put the result, and `loads`, what it will read
  /// next.
  void run_rows(float* out, float* work, const float* rows, const WeightedRow* list, bool root, const Upcoming& stores,
                const Upcoming& loads) const;

 private:
  bool halved() const { return size_ % 2 == 0; }

  int64_t size_;
  Fft fft_;  // of half an even length: even elements are its real parts, odd ones its imaginary parts
  std::vector<Twiddle> twiddles_;  // for the bins of that half
};

}  // namespace penstock
