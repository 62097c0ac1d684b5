#include "kernels/fourier/fft.h"

#include <algorithm>
#include <bit>

#include "cpu/newest.h"
#include "cpu/vectorize.h"
#include "kernels/fourier/lines.h"

namespace penstock {
namespace {

/// Small factors whose product is n; none where n has a prime factor that is too large.
std::vector<int> factors_of(int64_t n) {
  std::vector<int> found;
  const int twos = std::countr_zero(static_cast<uint64_t>(n));
  // As few stages as can be, the largest first: each goes through all elements once.
  for (int left = twos, stages = (twos + kMostTwos - 1) / kMostTwos; stages > 0; --stages) {
    const int own = (left + stages - 1) / stages;
    found.push_back(1 << own);
    left -= own;
  }
  n >>= twos;
  for (const int radix : kOddRadices)
    for (; n % radix == 0; n /= radix) found.push_back(radix);
  return n == 1 ? found : std::vector<int>{};
}

// Single signals from this length on are taken as matrices.
constexpr int64_t kSquareFrom = 512;

/// Multiplies n elements by numbers of their own.
PENSTOCK_INLINE inline void multiply_elements(Planes data, const Twiddle* by, int64_t n) {
  PENSTOCK_INDEPENDENT
  for (int64_t k = 0; k < n; ++k) {
    const float r = data.re[k], i = data.im[k];
    data.re[k] = r * by[k].re - i * by[k].im;
    data.im[k] = r * by[k].im + i * by[k].re;
  }
}

/// The same for several lanes, all alike.
void multiply_planes(Planes data, const std::vector<Twiddle>& by, int64_t n, int64_t lanes) {
  if (lanes == 1) return newest<multiply_elements>(data, by.data(), n);
  run_wide([=, twiddles = by.data()]() PENSTOCK_INLINE {
    for (int64_t k = 0; k < n; ++k) {
      const Twiddle twiddle = twiddles[k];
      float *re = data.re + k * lanes, *im = data.im + k * lanes;
      PENSTOCK_INDEPENDENT
      for (int64_t l = 0; l < lanes; ++l) {
        const float r = re[l], i = im[l];
        re[l] = r * twiddle.re - i * twiddle.im;
        im[l] = r * twiddle.im + i * twiddle.re;
      }
    }
  });
}

}  // namespace

Fft::Fft(int64_t n) : size_(n) {
  const std::vector<int> radices = factors_of(n);
  if (n > 1 && radices.empty())
    plan_chirp();
  else
    plan_passes(radices);
  if (n >= kSquareFrom && radices.size() > 1) plan_square(radices);
}

void Fft::plan_passes(const std::vector<int>& radices) {
  int64_t left = size_, stride = 1;
  for (const int radix : radices) {
    FftStage stage{radix, left / radix, stride, {}};
    for (int64_t p = 0; p < stage.count; ++p)
      for (int k = 1; k < radix; ++k) stage.twiddles.push_back(twiddle_of(p * k, left));
    stages_.push_back(std::move(stage));
    left /= radix;
    stride *= radix;
  }
}

void Fft::plan_chirp() {
  const auto wide = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(2 * size_ - 1)));
  around_ = std::make_unique<Fft>(wide);
  for (int64_t k = 0; k < size_; ++k) chirp_.push_back(twiddle_of(k * k % (2 * size_), 2 * size_));
  std::vector<float> planes(4 * wide, 0.0F);
  const Planes filter{planes.data(), planes.data() + wide}, other{planes.data() + 2 * wide, planes.data() + 3 * wide};
  for (int64_t k = 0; k < size_; ++k) {
    const int64_t mirrored = k == 0 ? 0 : wide - k;
    filter.re[k] = filter.re[mirrored] = chirp_[k].re;
    filter.im[k] = filter.im[mirrored] = -chirp_[k].im;
  }
  const Planes made = around_->run(filter, other, 1);
  const float scale = 1 / static_cast<float>(wide);
  for (int64_t k = 0; k < wide; ++k) filter_.push_back({made.re[k] * scale, made.im[k] * scale});
}

Planes Fft::run_chirp(Planes data, Planes other, int64_t lanes) const {
  const int64_t wide = around_->size_;
  multiply_planes(data, chirp_, size_, lanes);
  std::fill(data.re + size_ * lanes, data.re + wide * lanes, 0.0F);
  std::fill(data.im + size_ * lanes, data.im + wide * lanes, 0.0F);
  Planes made = around_->run(data, other, lanes);
  multiply_planes(made, filter_, wide, lanes);
  // Back again: with real and imaginary parts exchanged before and after, the transform is its inverse.
  const Planes free = made.re == data.re ? other : data;
  made = around_->run({made.im, made.re}, {free.im, free.re}, lanes);
  made = {made.im, made.re};
  multiply_planes(made, chirp_, size_, lanes);
  return made;
}

void Fft::plan_square(const std::vector<int>& radices) {
  int64_t columns = 1;
  for (const int radix : radices)
    if (columns * columns < size_) columns *= radix;
  if (columns == size_) return;
  columns_ = std::make_unique<Fft>(size_ / columns);
  rows_ = std::make_unique<Fft>(columns);
  for (int64_t k = 0; k < size_ / columns; ++k)
    for (int64_t j = 0; j < columns; ++j) between_.push_back(twiddle_of(k * j, size_));
}

Planes Fft::run_square(Planes data, Planes other) const {
  const int64_t rows = columns_->size_, columns = rows_->size_;
  const Planes made = columns_->run(data, other, columns);
  const Planes free = made.re == data.re ? other : data;
  newest<multiply_elements>(made, between_.data(), size_);
  turn_matrix(free.re, rows, made.re, columns, rows, columns);
  turn_matrix(free.im, rows, made.im, columns, rows, columns);
  return rows_->run(free, made, rows);
}

Planes Fft::run(Planes data, Planes other, int64_t lanes) const {
  if (around_) return run_chirp(data, other, lanes);
  if (columns_ && lanes == 1) return run_square(data, other);
  for (const FftStage& stage : stages_) {
    run_stage(stage, other, data, lanes);
    std::swap(data, other);
  }
  return data;
}

}  // namespace penstock
