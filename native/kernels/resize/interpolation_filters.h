// Which input pixels make an output pixel, and by how much: the interpolation filters along one axis.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace penstock {

/// In the order of `types.DALIInterpType`.
enum class Interp : uint8_t { nearest, linear, cubic, lanczos3, triangular, gaussian };

/// How one axis is resampled: input coordinates [lo, hi) become `out` pixels; lo > hi mirrors.
struct AxisSpec {
  int64_t in = 0;
  int64_t out = 0;
  float lo = 0;
  float hi = 0;
  Interp interp = Interp::linear;
  bool antialias = true;

  bool operator==(const AxisSpec&) const = default;

  /// Whether the output is the input, so that the axis need not be touched.
  bool is_identity() const;
};

/// Output pixel x is the sum of `taps` input pixels from `start[x]`, weighted by `weight[x * taps ...]`.
/// Windows lie inside the input: what falls outside has been added to the weight of the edge pixel.
struct AxisWeights {
  int taps = 0;
  std::vector<int32_t> start;
  std::vector<float> weight;

  /// `is_last` says whether `spec` is the last of the axes resampled together.
  void compute(const AxisSpec& spec, bool is_last);

  int64_t out() const { return static_cast<int64_t>(start.size()); }
  /// The windows move one way, so the ends of the range of inputs in use are at the ends of the table.
  int64_t first_input() const { return std::min(start.front(), start.back()); }
  int64_t end_input() const { return static_cast<int64_t>(std::max(start.front(), start.back())) + taps; }
};

}  // namespace penstock
