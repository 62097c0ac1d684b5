#include "codecs/jpeg/mcu_row_avx2.h"

#ifdef PENSTOCK_X86
#include "codecs/jpeg/idct_avx2.h"

namespace penstock {
namespace {

/// Blocks on their way from the Huffman decoder to the inverse DCT, which takes two at once. It is run for many blocks
/// together: whether it is a block's turn is not left to be foretold between the branches of the Huffman decoder, and a
/// wide load of what was stored in small pieces just before would have to wait.
class BlockQueue {
 public:
  bool has_room(int blocks) const { return count_ + blocks <= kBlocks; }
  JCOEF* next() { return coefficients_[count_]; }

  /// Takes the block that next() gave.
  void push(const int16_t* factors, uint8_t* samples, int64_t stride) {
    blocks_[count_] = {coefficients_[count_], factors, samples, stride};
    ++count_;
  }

  void transform() {
    uint8_t unused[DCTSIZE2];
    if (count_ % 2 != 0) push(blocks_[0].factors, unused, DCTSIZE);
    inverse_dct_avx2(blocks_, count_);
    count_ = 0;
  }

 private:
  static constexpr int kBlocks = 24;
  alignas(32) JCOEF coefficients_[kBlocks + 1][DCTSIZE2] = {};
  InverseDct blocks_[kBlocks + 1];
  int count_ = 0;
};

}  // namespace

PENSTOCK_AVX2_BMI2 bool decode_mcu_row_avx2(HuffmanScan& scan, const McuRow& row) {
  BlockQueue queue;
  const int blocks = scan.blocks_in_mcu();
  for (int mcu = 0; mcu < row.count; ++mcu) {
    const bool inside = mcu >= row.first && mcu < row.end;
    if (!queue.has_room(blocks)) queue.transform();
    BitWindow position;
    if (!scan.begin_mcu(position)) return false;
    for (int i = 0; i < blocks; ++i) {
      const McuRow::Block& block = row.blocks[i];
      const bool wanted = inside && block.samples;
      if (!scan.decode_block(position, i, wanted ? queue.next() : nullptr)) return false;
      if (wanted) queue.push(block.factors, block.samples + (mcu - row.first) * block.step, block.stride);
    }
    if (!scan.end_mcu(position)) return false;
  }
  queue.transform();
  return true;
}

}  // namespace penstock
#endif
