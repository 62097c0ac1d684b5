// Progressive JPEGs: all scans are decoded to coefficients, then these are transformed a row of MCUs at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "codecs/jpeg/block_transforms.h"
#include "codecs/jpeg/mcu_row.h"
#include "codecs/jpeg/progressive_scan.h"
#include "codecs/jpeg/scan_headers.h"

namespace penstock {

#ifdef PENSTOCK_JPEG_VECTORS
/// Decodes the rows of an image. May be used only where has_jpeg_vectors().
class ProgressiveDecoder {
 public:
  /// MCUs that are needed, and how many there are in a row.
  struct Mcus {
    int first = 0, end = 0, across = 0;
    int first_row = 0, end_row = 0;
  };

  /// Decodes the scans of the image whose header `info` has read. False leaves it to libjpeg, which has rules for
  /// damaged images and smooths those that lack scans. Only the first `components` are needed.
  bool begin(const jpeg_decompress_struct& info, const Mcus& mcus, int components, int max_scans);

  /// Transforms the row of MCUs of this number.
  void transform(const McuRow& row, int number);

  /// Gives memory back of which most images need less.
  void give_back_large();

 private:
  bool read_scans(const jpeg_decompress_struct& info, int max_scans);
  bool progress(const ScanHeader& scan);
  bool lacks_scans() const;
  void lay_out(const jpeg_decompress_struct& info, const Mcus& mcus, int components);

  ScanHeaders headers_;
  ProgressiveScan scan_;
  BlockTransforms transforms_;
  Mcus mcus_;
  int components_ = 0;  // of the frame
  std::array<BlockPlane, MAX_COMPS_IN_SCAN> planes_;
  std::array<std::array<int8_t, DCTSIZE2>, MAX_COMPS_IN_SCAN> known_bits_;  // down to which bit, or -1

  // Coefficients are zeros again when they have been transformed: the memory is cleared only where that was not done.
  std::shared_ptr<std::byte> memory_;
  size_t capacity_ = 0;
  bool is_clear_ = false;
  std::vector<uint64_t> nonzero_;
};
#endif

}  // namespace penstock
