#include "kernels/resize/row_resampler.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace penstock {
namespace {

constexpr int64_t kRowsAtOnce = 8;

int64_t round_up(int64_t n, int64_t unit) { return (n + unit - 1) / unit * unit; }

// Pixels that are far apart leave wide groups half empty; narrow ones of at least half the pixels are then faster.
const RowKernels& best_horizontal(std::span<const RowKernels> kernels, const FixedWeights& weights, int channels) {
  const RowKernels* best = &kernels.front();
  int most = 0;
  for (const RowKernels& k : kernels) {
    const int pixels = k.lanes > 0 ? GroupedWeights::pixels_per_group(weights, channels, k.lanes) : 0;
    if (pixels == 0 || 2 * pixels < most) continue;
    best = &k;
    most = pixels;
  }
  return *best;
}

}  // namespace

void RowResampler::prepare_columns(const AxisSpec& spec, int channels) {
  if (spec == columns_spec_ && channels == channels_) return;
  AxisWeights weights;
  weights.compute(spec, true);
  first_column_ = weights.first_input();
  end_column_ = weights.end_input();
  column_weights_.quantise(weights);
  for (int32_t& start : column_weights_.start) start -= static_cast<int32_t>(first_column_);
  // 255 takes 8 bits, the sign one; filters with negative lobes overshoot and need one more.
  fraction_ = column_weights_.has_negative ? 6 : 7;
  horizontal_kernels_ = &best_horizontal(kernels_, column_weights_, channels);
  groups_.group(column_weights_, channels, fraction_, horizontal_kernels_->lanes);
  columns_spec_ = spec;
  channels_ = channels;
}

void RowResampler::prepare_rows(const AxisSpec& spec) {
  if (spec == rows_spec_) return;
  AxisWeights weights;
  weights.compute(spec, false);
  row_weights_.quantise(weights);
  row_taps_ = weights.taps;
  mirrored_ = weights.start.front() > weights.start.back();
  end_row_ = weights.end_input();
  window_.resize(row_weights_.taps);
  rows_spec_ = spec;
}

void RowResampler::begin(uint8_t* out, const AxisSpec& rows, const AxisSpec& columns, int channels, Scratch& scratch) {
  prepare_columns(columns, channels);
  prepare_rows(rows);
  out_ = out;
  emitted_ = 0;
  pushed_ = 0;
  ring_rows_ = row_taps_ + kRowsAtOnce;
  ring_stride_ = round_up(columns.out * channels, kRowPadding) + kRowPadding;
  copy_stride_ = round_up((end_column_ - first_column_) * channels, kRowPadding) + kRowPadding;
  const size_t ring_bytes = ring_rows_ * ring_stride_ * sizeof(int16_t);
  std::byte* memory = scratch.bytes(kResampleTemp, ring_bytes + kRowsAtOnce * copy_stride_);
  ring_ = reinterpret_cast<int16_t*>(memory);
  copies_ = reinterpret_cast<uint8_t*>(memory + ring_bytes);
}

int64_t RowResampler::next_row() const {
  if (done()) return end_row_;
  return std::max<int64_t>(pushed_, row_weights_.start[output_row(emitted_)]);
}

/// End of the rows from `row` on that are needed without a gap, at most `limit`.
int64_t RowResampler::run_end(int64_t row, int64_t limit) const {
  int64_t end = row;
  for (int64_t i = emitted_; i < rows_spec_.out && end < limit; ++i) {
    const int64_t start = row_weights_.start[output_row(i)];
    if (start > end) break;
    end = start + row_taps_;
  }
  return std::min(end, limit);
}

/// The needed columns of a row, with readable padding behind them.
const uint8_t* RowResampler::padded_row(const Strip& strip, int64_t row, uint8_t* copy) const {
  const int64_t skipped = (first_column_ - strip.first_column) * channels_;
  const int64_t bytes = (end_column_ - first_column_) * channels_;
  const uint8_t* needed = strip.data + (row - strip.first_row) * strip.stride + skipped;
  if (strip.readable_end - needed >= bytes + kRowPadding) return needed;
  std::memcpy(copy, needed, bytes);
  return copy;
}

void RowResampler::push(const Strip& strip) {
  const int64_t strip_end = strip.first_row + strip.rows;
  for (int64_t row = next_row(); row < strip_end && !done(); row = next_row()) {
    const int64_t end = run_end(row, std::min(strip_end, row + kRowsAtOnce));
    std::array<const uint8_t*, kRowsAtOnce> from;
    std::array<int16_t*, kRowsAtOnce> to;
    const size_t count = end - row;
    for (size_t i = 0; i < count; ++i) {
      from[i] = padded_row(strip, row + i, copies_ + i * copy_stride_);
      to[i] = slot(row + i);
    }
    horizontal_kernels_->horizontal({to.data(), count}, {from.data(), count}, groups_);
    pushed_ = end;
    emit();
  }
}

void RowResampler::emit() {
  const int64_t row_bytes = columns_spec_.out * channels_;
  const int shift = row_weights_.bits + fraction_;
  for (; !done(); ++emitted_) {
    const int64_t y = output_row(emitted_);
    const int64_t start = row_weights_.start[y];
    if (start + row_taps_ > pushed_) return;
    for (int64_t k = 0; k < row_weights_.taps; ++k) window_[k] = slot(start + std::min<int64_t>(k, row_taps_ - 1));
    kernels_.front().vertical(out_ + y * row_bytes, window_, row_weights_.weight.data() + y * row_weights_.taps, shift,
                              row_bytes);
  }
}

RowResampler& thread_row_resampler() {
  static thread_local RowResampler resampler;
  return resampler;
}

}  // namespace penstock
