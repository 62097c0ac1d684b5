#include "codecs/jpeg/mcu_row.h"

#ifdef PENSTOCK_JPEG_VECTORS
#include <algorithm>

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

// What is stepped over has functions of its own: compiled into the loop that keeps coefficients, it takes registers
// from it, and their values go through memory between one lookup and the next.
PENSTOCK_JPEG_VECTORS [[gnu::noinline]] bool step_over_block(HuffmanScan& scan, BitWindow& position, int index) {
  unsigned last;
  return scan.decode_block<false>(position, index, nullptr, last);
}

PENSTOCK_JPEG_VECTORS [[gnu::noinline]] bool step_over_mcus(HuffmanScan& scan, int count) {
  BitWindow position = scan.position();
  unsigned last;
  for (int mcu = 0; mcu < count; ++mcu) {
    if (!scan.begin_mcu(position)) return false;
    for (int i = 0; i < scan.blocks_in_mcu(); ++i)
      if (!scan.decode_block<false>(position, i, nullptr, last)) return false;
    if (!scan.end_mcu(position)) return false;
  }
  scan.set_position(position);
  return true;
}

PENSTOCK_JPEG_VECTORS [[gnu::noinline]] bool decode_mcus(HuffmanScan& scan, const McuRow& row) {
  BlockQueue queue;
  const int blocks = scan.blocks_in_mcu();
  BitWindow position = scan.position();
  for (int mcu = 0; mcu < row.end - row.first; ++mcu) {
    if (!queue.has_room(blocks)) queue.transform();
    if (!scan.begin_mcu(position)) return false;
    for (int i = 0; i < blocks; ++i) {
      const McuRow::Block& block = row.blocks[i];
      if (!block.samples) {
        BitWindow copy = position;  // one whose address is taken is not kept in registers
        if (!step_over_block(scan, copy, i)) return false;
        position = copy;
        continue;
      }
      unsigned last = 0;
      if (!scan.decode_block<true>(position, i, queue.next(), last)) return false;
      queue.push(last, block.factors, block.samples + mcu * block.step, block.stride);
    }
    if (!scan.end_mcu(position)) return false;
  }
  scan.set_position(position);
  queue.transform();
  return true;
}

}  // namespace

PENSTOCK_JPEG_VECTORS bool decode_mcu_row(HuffmanScan& scan, const McuRow& row) {
  const auto needs = [](const McuRow::Block& block) { return block.samples != nullptr; };
  if (std::none_of(row.blocks.begin(), row.blocks.end(), needs)) return step_over_mcus(scan, row.count);
  return step_over_mcus(scan, row.first) && decode_mcus(scan, row) && step_over_mcus(scan, row.count - row.end);
}

}  // namespace penstock
#endif
