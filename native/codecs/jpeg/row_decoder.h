// Plain JPEGs decoded without libjpeg once it has read their header. Each row of MCUs goes from bits, or from the
// coefficients of a progressive JPEG, to pixels while it is in the nearest caches, and what the window does not show is
// not transformed.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "codecs/jpeg/huffman_scan.h"
#include "codecs/jpeg/mcu_row.h"
#include "codecs/jpeg/progressive_decoder.h"
#include "memory/rect.h"

namespace penstock {

/// What libjpeg's islow transform and fancy upsampling give, to the last bit. Baseline and progressive JPEGs at a
/// sampling of 4:4:4, 4:2:2 and 4:2:0, and grayscale, on CPUs that have the vector code for it. Baseline ones also at
/// an eighth of their size, or a quarter, where all components then have the same size.
class RowDecoder {
 public:
  enum class Pixels { gray, rgb, bgr };

  /// Takes over the image whose header `info` has read, at the size that its output has. False leaves it to libjpeg: so
  /// are damaged progressive images and those of more than `max_scans` scans.
  bool begin(j_decompress_ptr info, HuffmanScan& scan, const Rect& window, Pixels pixels, int max_scans);

  /// Parts of the window, from its top to its bottom, that so many threads may decode at once. One where that is not
  /// worthwhile, or the rows cannot be decoded without those above them. No row may have been read.
  std::vector<Rect> bands(int threads) const;
  /// Takes over one of the bands of `image`.
  void begin_band(const RowDecoder& image, const Rect& band);

  /// Writes the next row of the window. False where the data is damaged.
  bool read_row(uint8_t* out);

  /// Gives memory back of which most images need less.
  void give_back_large();

 private:
  /// One component's samples of the last row of MCUs, or the last two where rows of chroma are smoothed between them,
  /// in the columns of MCUs that the window needs.
  struct Plane {
    int across = 1, down = 1;       // blocks of an MCU
    int size = DCTSIZE;             // samples along a side of a block
    int64_t width = 0, height = 0;  // of the whole component
    int64_t rows = 0, stride = 0;   // rows are a power of two
    uint8_t* samples = nullptr;
    alignas(32) std::array<int16_t, DCTSIZE2> factors;
  };

  bool begin_baseline(j_decompress_ptr info, HuffmanScan& scan, const Rect& window);
  bool begin_progressive(const jpeg_decompress_struct& info, const Rect& window, int max_scans);
  bool can_take(const Plane& plane) const;
  void lay_out(const Rect& window);
  int64_t mcus_stepped_over(int64_t restart_interval) const;
  int64_t mcu_row_for(int64_t row) const;
  bool decode_row_of_mcus();
  void repeat_edges(Plane& plane);
  uint8_t* row_of(const Plane& plane, int64_t row) const;
  const uint8_t* chroma_row(const Plane& plane, uint8_t* upsampled);

#ifdef PENSTOCK_JPEG_VECTORS
  McuRowDecoder rows_;
  ProgressiveDecoder progressive_;
#endif
  bool is_progressive_ = false;
  Pixels pixels_ = Pixels::rgb;
  Rect window_;
  int64_t next_row_ = 0;
  std::array<Plane, 3> planes_;
  int components_ = 0;
  bool is_reduced_ = false;                          // all components have the size of the result
  int upsampling_across_ = 1, upsampling_down_ = 1;  // of chroma
  int mcus_across_ = 0, first_mcu_ = 0, end_mcu_ = 0;
  int64_t first_mcu_row_ = 0, mcu_rows_ = 0;  // the first whose samples are needed, and how many are decoded
  std::vector<uint8_t> memory_;
  uint8_t* upsampled_[2] = {};
};

}  // namespace penstock
