#include "codecs/jpeg/mcu_row.h"

#ifdef PENSTOCK_JPEG_VECTORS
#include "codecs/jpeg/idct.h"

namespace penstock {
namespace {

/// Blocks on their way from the Huffman decoder to the inverse DCT, which takes two at once. It is run for many blocks
/// together: whether it is a block's turn is not left to be foretold between the branches of the Huffman decoder, and a
/// wide load of what was stored in small pieces just before would have to wait.
class BlockQueue {
 public:
  bool has_room(int blocks) const { return taken_ + blocks <= kBlocks; }
  JCOEF* next() { return coefficients_[taken_]; }

  /// Takes the block that next() gave, whose coefficients from `last` + 1 on are zeros.
  PENSTOCK_INLINE void push(unsigned last, const int16_t* factors, uint8_t* samples, int64_t stride) {
    List& list = lists_[(last > 0) + (last >= kCornerPlaces)];
    list.blocks[list.count++] = {coefficients_[taken_++], factors, samples, stride};
  }

  void transform() {
    auto& [flat, corner, full] = lists_;
    if (corner.count % 2 != 0) full.blocks[full.count++] = corner.blocks[--corner.count];
    uint8_t unused[DCTSIZE2];
    if (full.count % 2 != 0)
      full.blocks[full.count++] = {coefficients_[taken_], full.blocks[0].factors, unused, DCTSIZE};
    inverse_dct_flat(flat.blocks, flat.count);
    inverse_dct_corner(corner.blocks, corner.count);
    inverse_dct(full.blocks, full.count);
    flat.count = corner.count = full.count = taken_ = 0;
  }

 private:
  static constexpr int kBlocks = 24;
  struct List {
    int count = 0;
    InverseDct blocks[kBlocks + 2];
  };
  alignas(32) JCOEF coefficients_[kBlocks + 1][DCTSIZE2] = {};
  std::array<List, 3> lists_;  // by the inverse DCT that they need, so that its branches are foretold
  int taken_ = 0;
};

}  // namespace

PENSTOCK_JPEG_VECTORS bool decode_mcu_row(HuffmanScan& scan, const McuRow& row) {
  BlockQueue queue;
  const int blocks = scan.blocks_in_mcu();
  for (int mcu = 0; mcu < row.count; ++mcu) {
    const bool inside = mcu >= row.first && mcu < row.end;
    if (!queue.has_room(blocks)) queue.transform();
    BitWindow position;
    if (!scan.begin_mcu(position)) return false;
    for (int i = 0; i < blocks; ++i) {
      unsigned last = 0;
      const McuRow::Block& block = row.blocks[i];
      const bool wanted = inside && block.samples;
      if (!scan.decode_block(position, i, wanted ? queue.next() : nullptr, last)) return false;
      if (wanted) queue.push(last, block.factors, block.samples + (mcu - row.first) * block.step, block.stride);
    }
    if (!scan.end_mcu(position)) return false;
  }
  queue.transform();
  return true;
}

}  // namespace penstock
#endif
