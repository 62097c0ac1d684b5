// Huffman decoding of baseline JPEGs in the place of libjpeg's own, which is two thirds of its decoding time. This one
// looks up two coefficients at once.
#pragma once

#include <array>
#include <memory>

#include "codecs/jpeg/bit_window.h"
#include "codecs/jpeg/huffman_table.h"
#include "codecs/jpeg/scan_data.h"
#include "codecs/jpeg/skip_table.h"

namespace penstock {

/// A block to decode. Where its coefficients go is for the caller to say, the rest for HuffmanScan.
struct CodedBlock {
  JCOEF* coefficients;                 // zeros at first
  const PairLookup* pairs;             // of its AC coefficients
  const PairLookup* next_block_pairs;  // of the DC coefficient of the next block and what follows it
  int index;                           // in its MCU
  unsigned end;  // becomes how many coefficients, in the order of the stream, may be other than zero
};

/// The entropy-coded data of a baseline JPEG's only scan, and a place in it. Copies share the data and have a place of
/// their own: they may be read by different threads.
class HuffmanScan {
 public:
  /// Takes over the scan whose header `cinfo` has read. False leaves it to libjpeg: the data is of another kind, or
  /// irregular, and libjpeg has rules for making something of it.
  bool begin(j_decompress_ptr cinfo);

  int blocks_in_mcu() const { return blocks_in_mcu_; }

  /// How many MCUs there are from one restart marker to the next; 0 where there are no markers.
  unsigned restart_interval() const { return restart_interval_; }

  /// Writes the next MCU's coefficients to `blocks`, which are zeros, or nowhere if null.
  /// False where the data is damaged.
  bool decode_mcu(JBLOCKROW* blocks);

  /// The same for several MCUs, of kMostBlocks blocks together, which `plan` has prepared. Behind the last of `blocks`
  /// there is one more, to which zeros are written. Where the data is damaged they have to be prepared again.
  static constexpr int kMostBlocks = 24;
  bool decode_mcus(CodedBlock* blocks, int mcus);
  void plan(CodedBlock* blocks, int count) const;

  /// Leaves out MCUs. When one behind them is decoded, the last ones, up to which no restart marker leads, are stepped
  /// over; that tells whether these are damaged.
  void skip_mcus(int mcus);
  /// Makes it faster to leave out so many. To be called before there are copies.
  void expect_skips(int64_t mcus);

  /// How many blocks are stepped over at once.
  static constexpr int kMostStepped = ScanData::kMostBlocks;

 private:
  struct Block {
    const HuffmanTable *dc, *ac;
    int component;
    bool needed, ac_needed;
    const SkipTable* skip;
  };

  bool plan_blocks(j_decompress_ptr cinfo);
  bool copy_data(j_decompress_ptr cinfo);
  bool start_segment();
  int take_mcus(int most);
  bool read_mcus(CodedBlock* blocks, int mcus);
  bool read_blocks(CodedBlock* blocks, int count);
  bool read_blocks_bmi2(CodedBlock* blocks, int count);
  bool step_over_skipped();
  void skip_segments();
  bool decode_skipped();
  bool step_over_mcus(int mcus, JCOEF* dc_values);
  bool read_block(const Block& block, CodedBlock& coded, BitWindow& window);
  bool read_needed(CodedBlock* blocks, int count);
  bool read_needed_bmi2(CodedBlock* blocks, int count);
  bool step_over_block(const Block& block, BitWindow& window);
  bool step_over_blocks(int count, JCOEF* dc_values);
  bool step_over_blocks_bmi2(int count, JCOEF* dc_values);
  bool decode_dc(JBLOCKROW* blocks);
  bool is_within_segment() const { return shared_->data.is_within_segment(window_, next_segment_ - 1); }

  struct Shared {
    std::array<HuffmanTable, MAX_COMPS_IN_SCAN> dc_tables;  // by component: each is paired with one of AC
    std::array<HuffmanTable, NUM_HUFF_TBLS> ac_tables;
    std::array<SkipTable, MAX_COMPS_IN_SCAN> skip_tables;  // by component, as dc_tables
    ScanData data;
  };
  std::shared_ptr<Shared> shared_;
  bool has_skip_tables_ = false;
  std::array<Block, D_MAX_BLOCKS_IN_MCU> blocks_;
  int blocks_in_mcu_ = 0;
  bool stores_ac_ = false;                                 // of any block
  bool some_dc_only_ = false;                              // blocks of which no AC is needed
  std::array<CodedBlock, D_MAX_BLOCKS_IN_MCU + 1> mcu_{};  // for one MCU
  std::array<unsigned, MAX_COMPS_IN_SCAN> last_dc_{};

  unsigned restart_interval_ = 0, mcus_to_restart_ = 0;
  size_t next_segment_ = 0;
  int mcus_left_ = 0;                         // as far as libjpeg has counted them
  int skipped_ = 0;                           // MCUs left out, which the window stands before
  std::array<JCOEF, kMostStepped> dc_ahead_;  // where nothing else is needed: of MCUs that the window stands behind
  const JCOEF* next_dc_ahead_ = nullptr;
  int mcus_ahead_ = 0;
  BitWindow window_;
};

}  // namespace penstock
