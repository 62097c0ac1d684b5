// Steps that compute spectra: spectrograms of signals, and power spectra along an axis.
#pragma once

#include "kernels/audio/windows.h"
#include "kernels/fourier/fft.h"
#include "kernels/fourier/lines.h"
#include "kernels/step.h"
#include "memory/table_cache.h"

namespace penstock {

class Spectrogram : public Step {
 public:
  struct Options {
    int64_t nfft = 512;
    Windows windows;
    bool root = false;              // magnitudes instead of their squares
    bool frequencies_last = false;  // a row for every window instead of every frequency
  };
  explicit Spectrogram(Options options);

  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;
  /// A filter bank that follows takes each block of windows while it is in the cache.
  bool run_through(size_t sample, const Step& next, View out, ConstView in, Scratch& scratch) const override;
  bool run_both(size_t sample, const Step& next, View out, View kept, ConstView in, Scratch& scratch) const override;

 private:
  /// The frequencies of every window as lines of an array.
  Lines lines(int64_t windows) const;
  /// Calls `use(power, step, first, lanes)` for blocks of windows, each with a row of lanes for every frequency. It
  /// will store what it makes as these lines of `out`.
  template <typename Use>
  void each_block(ConstView in, Scratch& scratch, const float* out, const Lines& made, Use&& use) const;
  /// A filter bank behind it, and the spectrogram itself where `kept` is not null.
  bool run_bank(const Step& next, View out, float* kept, ConstView in, Scratch& scratch) const;

  Options options_;
  PowerFft fft_;
  std::vector<WeightedRow> rows_;  // of windows, where the transform takes them
};

class PowerSpectrum : public Step {
 public:
  struct Options {
    int axis = 0;
    int64_t nfft = 0;  // that many elements, more being zeros; 0: as many as there are
    bool root = false;
  };
  explicit PowerSpectrum(Options options) : options_(options) {}

  Spec infer(size_t sample, const Spec& in, ConstView data) const override;
  void run(size_t sample, View out, ConstView in, Scratch& scratch) const override;

 private:
  int64_t length(const Shape& shape) const { return options_.nfft ? options_.nfft : shape[options_.axis]; }

  Options options_;
  mutable TableCache<PowerFft> plans_;
};

}  // namespace penstock
