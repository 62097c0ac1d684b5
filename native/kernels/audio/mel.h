// The mel filter bank: triangular filters, evenly spaced on the mel scale.
#pragma once

#include <cstdint>
#include <vector>

namespace penstock {

struct MelScale {
  int64_t filters = 128;
  double sample_rate = 44100;
  double low = 0, high = 22050;  // Hz
  bool htk = false;              // one logarithmic formula instead of Slaney's, which is linear up to 1 kHz
  bool normalizes = true;        // filters have equal areas instead of equal heights
};

class MelBank {
 public:
  struct Band {
    int64_t first, count, weights;  // bins, and where its weights begin
  };

  /// For spectra of `bins` from 0 Hz to half the sample rate.
  MelBank(const MelScale& scale, int64_t bins);

  /// Filters.
  int64_t size() const { return static_cast<int64_t>(bands_.size()); }
  /// `in` has a row of columns for every bin, `out` for every filter; rows are so many steps apart.
  void run(float* out, int64_t out_step, const float* in, int64_t in_step, int64_t columns) const;

 private:
  std::vector<Band> bands_;
  std::vector<float> weights_;
};

}  // namespace penstock
