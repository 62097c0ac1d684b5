// 8-bit images resampled while their rows arrive, so that a decoder never has to hold the whole picture.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/resize/interpolation_filters.h"
#include "kernels/resize/row_kernels.h"
#include "memory/scratch.h"

namespace penstock {

/// Consecutive rows of an 8-bit image, or of the columns of it that are needed.
struct Strip {
  const uint8_t* data = nullptr;
  int64_t stride = 0;        // bytes from row to row
  int64_t first_row = 0;     // where in the image the first row is
  int64_t rows = 0;          // how many there are
  int64_t first_column = 0;  // where in the image a row's first pixel is
  /// End of the memory that may be read. A row with kRowPadding readable bytes behind it saves a copy.
  const uint8_t* readable_end = nullptr;
};

/// Horizontal pass on each row as it comes, vertical pass as soon as the rows of an output row are there.
/// The result does not depend on how the rows are cut into strips; eight or more at once are fastest.
class RowResampler {
 public:
  /// `kernels` as from row_kernels(), best first.
  explicit RowResampler(std::span<const RowKernels> kernels = row_kernels()) : kernels_(kernels) {}
  RowResampler(const RowResampler&) = delete;
  RowResampler& operator=(const RowResampler&) = delete;

  /// Begins an image of `channels` (1 to 4) interleaved bytes whose result goes to the contiguous `out`. Tables are
  /// kept from the image before if its geometry was the same; `scratch` slot kResampleTemp is in use until done().
  void begin(uint8_t* out, const AxisSpec& rows, const AxisSpec& columns, int channels, Scratch& scratch);

  /// The input that is needed at all.
  int64_t end_row() const { return end_row_; }
  int64_t first_column() const { return first_column_; }
  int64_t end_column() const { return end_column_; }

  /// The first row that is still needed; all before it may be skipped. end_row() when done.
  int64_t next_row() const;
  bool done() const { return emitted_ == rows_spec_.out; }

  /// Takes the rows of `strip` that are needed; next_row() must not be skipped.
  void push(const Strip& strip);

 private:
  void prepare_columns(const AxisSpec& spec, int channels);
  void prepare_rows(const AxisSpec& spec);
  int64_t run_end(int64_t row, int64_t limit) const;
  const uint8_t* padded_row(const Strip& strip, int64_t row, uint8_t* copy) const;
  void emit();
  /// Output rows in the order in which their input arrives.
  int64_t output_row(int64_t i) const { return mirrored_ ? rows_spec_.out - 1 - i : i; }
  int16_t* slot(int64_t row) const { return ring_ + row % ring_rows_ * ring_stride_; }

  std::span<const RowKernels> kernels_;
  const RowKernels* horizontal_kernels_ = nullptr;
  AxisSpec rows_spec_, columns_spec_;
  int channels_ = 0;
  int fraction_ = 0;
  FixedWeights row_weights_, column_weights_;
  GroupedWeights groups_;
  int row_taps_ = 0;  // without the padding to an even number
  bool mirrored_ = false;
  int64_t end_row_ = 0, first_column_ = 0, end_column_ = 0;

  uint8_t* out_ = nullptr;
  uint8_t* copies_ = nullptr;
  int16_t* ring_ = nullptr;
  int64_t ring_rows_ = 1, ring_stride_ = 0, copy_stride_ = 0;
  int64_t emitted_ = 0;  // output rows written
  int64_t pushed_ = 0;   // input rows before this one are in the ring or not needed
  std::vector<const int16_t*> window_;
};

/// The calling thread's own, whose tables outlive a call: images of one batch often have one size.
RowResampler& thread_row_resampler();

}  // namespace penstock
