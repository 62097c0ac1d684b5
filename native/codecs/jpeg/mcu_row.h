// A row of MCUs decoded in one pass: Huffman codes and inverse DCT, block by block.
#pragma once

#include <array>
#include <cstdint>

#include "codecs/jpeg/block_transforms.h"
#include "codecs/jpeg/huffman_scan.h"
#include "codecs/jpeg/vector_code.h"

namespace penstock {

/// The MCUs of a row, and where the samples of those from `first` on go.
struct McuRow {
  struct Block {
    uint8_t* samples = nullptr;  // of the first MCU's block; null where they are not wanted
    int64_t stride = 0;          // from one row of samples to the next
    int64_t step = 0;            // from one MCU's block to the next one's
    int size = DCTSIZE;          // samples along a side: 1, 2 or 8
    const int16_t* factors = nullptr;
  };
  int first = 0, end = 0, count = 0;
  bool is_reduced = false;  // blocks have fewer samples than coefficients
  std::array<Block, D_MAX_BLOCKS_IN_MCU> blocks;
};

#ifdef PENSTOCK_JPEG_VECTORS
/// Decodes the rows of an image. May be used only where has_jpeg_vectors().
class McuRowDecoder {
 public:
  /// Prepares for the image of `scan`, from its place on.
  void begin(const HuffmanScan& scan);
  /// The scan at the place behind the last row.
  const HuffmanScan& scan() const { return scan_; }

  /// The next row. False where the data is damaged.
  bool decode(const McuRow& row);

 private:
  static constexpr int kBlocks = HuffmanScan::kMostBlocks;
  static_assert(kBlocks <= BlockTransforms::kMostBlocks);

  void transform(const McuRow& row, int begin, int count);
  void transform_reduced(const McuRow& row, int begin, int count);

  HuffmanScan scan_;
  alignas(32) JCOEF coefficients_[kBlocks + 1][DCTSIZE2];
  CodedBlock coded_[kBlocks + 1] = {};
  BlockTransforms transforms_;
};
#endif

}  // namespace penstock
