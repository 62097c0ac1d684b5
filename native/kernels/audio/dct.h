// Cosine transforms of a few coefficients.
#pragma once

#include <cstdint>
#include <vector>

namespace penstock {

struct DctKind {
  int type = 2;             // 1 to 4
  bool normalizes = false;  // orthonormal
  double lifter = 0;        // 0: none
  int64_t count = 20;       // coefficients at most
};

class Dct {
 public:
  Dct(const DctKind& kind, int64_t length);

  /// Coefficients.
  int64_t size() const { return size_; }
  /// Floats of working memory.
  int64_t terms() const;
  /// `in` has a row of columns for every element, `out` for every coefficient; rows are so many steps apart.
  void run(float* out, int64_t out_step, const float* in, int64_t in_step, int64_t columns, float* terms) const;

 private:
  static void transform(const Dct& dct, float* out, int64_t out_step, const float* in, int64_t in_step, int64_t columns,
                        float* terms);

  int64_t length_, size_;
  int type_;
  std::vector<float> table_;  // a row for every coefficient
};

}  // namespace penstock
