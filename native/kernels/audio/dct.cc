#include "kernels/audio/dct.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "cpu/newest.h"
#include "cpu/prefetch.h"
#include "cpu/vectorize.h"
#include "kernels/fourier/lines.h"

namespace penstock {
namespace {

double factor(int type, int64_t k, int64_t j, int64_t length) {
  const double n = static_cast<double>(length), step = std::numbers::pi / (type == 1 ? n - 1 : n);
  const double row = static_cast<double>(k) + (type > 2 ? 0.5 : 0), column = static_cast<double>(j);
  const bool edge = type == 1 ? j == 0 || j == length - 1 : type == 3 && j == 0;
  return (edge ? 0.5 : 1.0) * std::cos(step * row * (type % 2 ? column : column + 0.5));
}

double orthonormal(int type, int64_t k, int64_t j, int64_t length) {
  const double scale = std::sqrt(2 / static_cast<double>(length));
  if (type == 2 && k == 0) return scale / std::numbers::sqrt2;
  if (type == 3 && j == 0) return scale * std::numbers::sqrt2;
  return scale;
}

// So many columns are worked on at once that their terms stay in the first cache.
constexpr int64_t kStrip = 4 * kLanes;

int64_t whole_lanes(int64_t columns) { return (columns + kLanes - 1) / kLanes * kLanes; }

/// Elements of up to kStrip columns as rows of so many, zeros after them to fill the lanes.
PENSTOCK_INLINE inline void gather(float* terms, const float* in, int64_t in_step, int64_t elements, int64_t columns) {
  const int64_t whole = whole_lanes(columns);
  for (int64_t j = 0; j < elements; ++j, in += in_step, terms += kStrip) {
    prefetch_row(in + kStrip, kStrip * sizeof(float));
    std::fill(std::copy_n(in, columns, terms), terms + whole, 0.0F);
  }
}

/// Makes the first half of the rows sums with those at the other end, the other half the differences.
PENSTOCK_INLINE inline void fold(float* terms, int64_t elements, int64_t columns) {
  const int64_t whole = whole_lanes(columns);
  for (int64_t j = 0; j < elements / 2; ++j) {
    float *low = terms + j * kStrip, *high = terms + (elements - 1 - j) * kStrip;
    for (int64_t column = 0; column < whole; ++column) {
      const float sum = low[column] + high[column];
      high[column] = low[column] - high[column];
      low[column] = sum;
    }
  }
}

/// Rows of terms and of factors, each so many steps after the one before.
struct Product {
  const float* terms;
  int64_t terms_step;
  const float* factors;
  int64_t factors_step, length;
};

/// kRows coefficients at once, so that a term is loaded once for all of them.
template <int kRows>
PENSTOCK_INLINE inline void sum_rows(float* out, int64_t out_step, const Product& product, int64_t columns) {
  for (int64_t column = 0; column < columns; column += kLanes) {
    AllLanes sums[kRows] = {};
    for (int64_t j = 0; j < product.length; ++j) {
      const AllLanes term = *reinterpret_cast<const AllLanes*>(product.terms + j * product.terms_step + column);
      for (int r = 0; r < kRows; ++r) sums[r] += term * product.factors[r * product.factors_step + j];
    }
    for (int r = 0; r < kRows; ++r) {
      float* target = out + r * out_step + column;
      if (columns - column >= kLanes)
        *reinterpret_cast<AllLanes*>(target) = sums[r];
      else
        std::memcpy(target, &sums[r], (columns - column) * sizeof(float));
    }
  }
}

PENSTOCK_INLINE inline void multiply(float* out, int64_t out_step, Product product, int64_t rows, int64_t columns) {
  const auto advance = [&](int64_t by) {
    out += by * out_step;
    product.factors += by * product.factors_step;
    rows -= by;
  };
  while (rows >= 4) {
    sum_rows<4>(out, out_step, product, columns);
    advance(4);
  }
  while (rows >= 2) {
    sum_rows<2>(out, out_step, product, columns);
    advance(2);
  }
  if (rows) sum_rows<1>(out, out_step, product, columns);
}

}  // namespace

Dct::Dct(const DctKind& kind, int64_t length) : length_(length), size_(std::min(kind.count, length)), type_(kind.type) {
  for (int64_t k = 0; k < size_; ++k) {
    const double angle = std::numbers::pi * static_cast<double>(k + 1) / kind.lifter;
    const double lift = kind.lifter == 0 ? 1 : 1 + kind.lifter / 2 * std::sin(angle);
    for (int64_t j = 0; j < length; ++j) {
      const double scale = kind.normalizes ? orthonormal(kind.type, k, j, length) : 1;
      table_.push_back(static_cast<float>(lift * scale * factor(kind.type, k, j, length)));
    }
  }
}

int64_t Dct::terms() const { return length_ * kStrip; }

PENSTOCK_INLINE inline void Dct::transform(const Dct& dct, float* out, int64_t out_step, const float* in,
                                           int64_t in_step, int64_t columns, float* terms) {
  const int64_t elements = dct.length_, size = dct.size_;
  const float* table = dct.table_.data();
  for (int64_t column = 0; column < columns; column += kStrip, out += kStrip) {
    const int64_t count = std::min(kStrip, columns - column);
    gather(terms, in + column, in_step, elements, count);
    int64_t length = elements, step = 1;
    // The cosines of odd rows change their sign from end to end, those of the others do not.
    for (bool is_mirrored = dct.type_ <= 2; is_mirrored && step < size; step *= 2) {
      fold(terms, length, count);
      const Product odd{terms + (length - 1) * kStrip, -kStrip, table + step * elements, 2 * step * elements,
                        length / 2};
      multiply(out + step * out_step, 2 * step * out_step, odd, (size + step - 1) / (2 * step), count);
      // What is left of the second kind is a transform of the second kind.
      is_mirrored = dct.type_ == 2 && length % 2 == 0;
      length = (length + 1) / 2;
    }
    multiply(out, step * out_step, {terms, kStrip, table, step * elements, length}, (size + step - 1) / step, count);
  }
}

void Dct::run(float* out, int64_t out_step, const float* in, int64_t in_step, int64_t columns, float* terms) const {
  newest<transform>(*this, out, out_step, in, in_step, columns, terms);
}

}  // namespace penstock
