#include "codecs/jpeg/mcu_row.h"

#ifdef PENSTOCK_JPEG_VECTORS
#include <algorithm>
#include <cstring>

#include "codecs/jpeg/reduced_idct.h"

namespace penstock {

void McuRowDecoder::begin(const HuffmanScan& scan) {
  scan_ = scan;
  std::memset(coefficients_, 0, sizeof coefficients_);
  for (int i = 0; i <= kBlocks; ++i) coded_[i].coefficients = coefficients_[i];
  scan.plan(coded_, kBlocks);
}

bool McuRowDecoder::decode(const McuRow& row) {
  const auto needs = [](const McuRow::Block& block) { return block.samples != nullptr; };
  if (std::none_of(row.blocks.begin(), row.blocks.end(), needs)) {
    scan_.skip_mcus(row.count);
    return true;
  }
  scan_.skip_mcus(row.first);
  const int most = kBlocks / scan_.blocks_in_mcu(), end = row.end - row.first;
  for (int mcu = 0; mcu < end; mcu += most) {
    const int count = std::min(most, end - mcu);
    if (!scan_.decode_mcus(coded_, count)) return false;
    row.is_reduced ? transform_reduced(row, mcu, count) : transform(row, mcu, count);
  }
  scan_.skip_mcus(row.count - row.end);
  return true;
}

// Writes the samples of so many MCUs from `begin` on.
void McuRowDecoder::transform(const McuRow& row, int begin, int count) {
  const CodedBlock* coded = coded_;
  const int blocks_in_mcu = scan_.blocks_in_mcu();
  for (int mcu = begin; mcu < begin + count; ++mcu)
    for (int i = 0; i < blocks_in_mcu; ++i, ++coded) {
      const McuRow::Block& block = row.blocks[i];
      if (!block.samples) continue;
      transforms_.add({coded->coefficients, block.factors, block.samples + mcu * block.step, block.stride}, coded->end);
    }
  transforms_.run();
}

void McuRowDecoder::transform_reduced(const McuRow& row, int begin, int count) {
  const int blocks_in_mcu = scan_.blocks_in_mcu();
  InverseDct pending[kBlocks];
  int pending_count = 0;
  for (int i = 0; i < blocks_in_mcu; ++i) {
    const McuRow::Block& block = row.blocks[i];
    if (!block.samples) continue;
    const CodedBlock* coded = coded_ + i;
    for (int mcu = begin; mcu < begin + count; ++mcu, coded += blocks_in_mcu) {
      uint8_t* const samples = block.samples + mcu * block.step;
      JCOEF* const coefficients = coded->coefficients;
      if (block.size > 1) {
        pending[pending_count++] = {coefficients, block.factors, samples, block.stride};
      } else {
        *samples = inverse_dct_1x1(coefficients[0], block.factors[0]);
        coefficients[0] = 0;
        if (coded->end > 1) std::memset(coefficients, 0, sizeof(JBLOCK));
      }
    }
  }
  inverse_dct_2x2(pending, pending_count);
}

}  // namespace penstock
#endif
