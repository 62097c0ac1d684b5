#include "codecs/jpeg/mcu_row.h"

#ifdef PENSTOCK_JPEG_VECTORS
#include <algorithm>

#include "codecs/jpeg/idct.h"

namespace penstock {
namespace {

constexpr int kQueuedBlocks = HuffmanScan::kMostBlocks;

/// Blocks between the Huffman decoder and the inverse DCT, which takes two at once. It is run for many blocks together:
/// whether it is a block's turn is not left to be foretold between the branches of the Huffman decoder, and a wide load
/// of what was stored in small pieces just before would have to wait.
class BlockBatch {
 public:
  BlockBatch() {
    for (int i = 0; i <= kQueuedBlocks; ++i) coded_[i].coefficients = coefficients_[i];
  }

  CodedBlock* coded() { return coded_; }

  /// Writes the samples of so many MCUs from `begin` on.
  void transform(const McuRow& row, int blocks_in_mcu, int begin, int count) {
    sort(row, blocks_in_mcu, begin, count);
    auto& [flat, corner, full] = lists_;
    if (corner.count % 2 != 0) full.blocks[full.count++] = corner.blocks[--corner.count];
    uint8_t unused[DCTSIZE2];
    if (full.count % 2 != 0)
      full.blocks[full.count++] = {coefficients_[kQueuedBlocks], full.blocks[0].factors, unused, DCTSIZE};
    inverse_dct_flat(flat.blocks, flat.count);
    inverse_dct_corner(corner.blocks, corner.count);
    inverse_dct(full.blocks, full.count);
    flat.count = corner.count = full.count = 0;
  }

 private:
  void sort(const McuRow& row, int blocks_in_mcu, int begin, int count) {
    const CodedBlock* coded = coded_;
    for (int mcu = begin; mcu < begin + count; ++mcu)
      for (int i = 0; i < blocks_in_mcu; ++i, ++coded) {
        const McuRow::Block& block = row.blocks[i];
        if (!block.samples) continue;
        List& list = lists_[(coded->end > 1) + (coded->end > kCornerPlaces)];
        list.blocks[list.count++] = {coded->coefficients, block.factors, block.samples + mcu * block.step,
                                     block.stride};
      }
  }

  struct List {
    int count = 0;
    InverseDct blocks[kQueuedBlocks + 2];
  };
  alignas(32) JCOEF coefficients_[kQueuedBlocks + 1][DCTSIZE2] = {};
  CodedBlock coded_[kQueuedBlocks + 1] = {};
  std::array<List, 3> lists_;  // by the inverse DCT that they need, so that its branches are foretold
};

bool decode_mcus(HuffmanScan& scan, const McuRow& row) {
  BlockBatch batch;
  const int most = kQueuedBlocks / scan.blocks_in_mcu(), end = row.end - row.first;
  for (int mcu = 0; mcu < end; mcu += most) {
    const int count = std::min(most, end - mcu);
    if (!scan.decode_mcus(batch.coded(), count)) return false;
    batch.transform(row, scan.blocks_in_mcu(), mcu, count);
  }
  return true;
}

}  // namespace

bool decode_mcu_row(HuffmanScan& scan, const McuRow& row) {
  const auto needs = [](const McuRow::Block& block) { return block.samples != nullptr; };
  const bool is_needed = std::any_of(row.blocks.begin(), row.blocks.end(), needs);
  scan.skip_mcus(is_needed ? row.first : row.count);
  if (!is_needed) return true;
  if (!decode_mcus(scan, row)) return false;
  scan.skip_mcus(row.count - row.end);
  return true;
}

}  // namespace penstock
#endif
