// Blocks that wait for the inverse DCT, each for the form of it that its coefficients need.
#pragma once

#include <cstdint>

#include "codecs/jpeg/idct.h"

namespace penstock {

#ifdef PENSTOCK_JPEG_VECTORS
/// Blocks between an entropy decoder and the inverse DCT, which takes two at once. It is run for many blocks together:
/// whether it is a block's turn is not left to be foretold between the branches of a Huffman decoder, and a wide load
/// of what was stored in small pieces just before would have to wait. May be used only where has_jpeg_vectors().
class BlockTransforms {
 public:
  /// How many may be added before they are transformed.
  static constexpr int kMostBlocks = 24;

  /// `end` tells how many coefficients, in the order of the stream, may be other than zero.
  void add(const InverseDct& block, unsigned end) {
    const unsigned form = (end > 1) + (end > kCornerPlaces), shift = form * kCountBits;
    blocks_[form][counts_ >> shift & kCountMask] = block;
    counts_ += 1u << shift;
  }

  /// Makes the samples of the blocks that were added.
  void run();

 private:
  static constexpr unsigned kCountBits = 8, kCountMask = (1u << kCountBits) - 1;

  InverseDct blocks_[3][kMostBlocks + 2];   // by the form of the transform, so that its branches are foretold
  uint32_t counts_ = 0;                     // of these, in one number, which stays in a register from block to block
  alignas(32) JCOEF spare_[DCTSIZE2] = {};  // in the place of a block where their number is odd
};
#endif

}  // namespace penstock
