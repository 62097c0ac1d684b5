#include "codecs/jpeg/huffman_scan.h"

#include <algorithm>
#include <utility>

#include "codecs/jpeg/zigzag.h"
#include "cpu/instruction_sets.h"
#include "cpu/opaque.h"

namespace penstock {
namespace {

// At an eighth of its size an image is the means of its blocks.
bool needs_ac(const jpeg_component_info& info) {
#if JPEG_LIB_VERSION >= 70
  return info.DCT_h_scaled_size > 1;
#else
  return info.DCT_scaled_size > 1;
#endif
}

constexpr unsigned kLastPlace = DCTSIZE2 - 1;

// To build the tables for stepping over blocks takes as long as they save over so many.
constexpr int64_t kWorthSkipTables = 500;

// What the loop over pairs looks up beside them, at one address: that takes one register.
struct PairLookups {
  // By the sizes of a pair: all bits of the second value set.
  std::array<uint16_t, 256> masks{};
  // As kZigzag. What lies beyond the last lands on it, before it is written.
  std::array<uint8_t, DCTSIZE2 + 256> places{};
  // By the bits of a value and as many set ones, added up: what they stand for. A leading 0 marks a negative value.
  std::array<JCOEF, 2 << CoefficientPair::kSecondBits> values{};

  constexpr PairLookups() {
    for (unsigned sizes = 0; sizes < masks.size(); ++sizes) {
      const unsigned size = std::min(sizes & 15, CoefficientPair::kSecondBits);
      masks[sizes] = static_cast<uint16_t>((1 << size) - 1);
    }
    for (int size = 1, mask = 1; size <= static_cast<int>(CoefficientPair::kSecondBits); ++size, mask = 2 * mask + 1)
      for (int bits = 0; bits <= mask; ++bits)
        values[bits + mask] = static_cast<JCOEF>(2 * bits > mask ? bits : bits - mask);
    std::copy(kZigzag.begin(), kZigzag.end(), places.begin());
    std::fill(places.begin() + DCTSIZE2, places.end(), kLastPlace);
  }
};
constexpr PairLookups kLookups;

// Stands behind the last block: the loop over pairs needs no branch of its own to end there.
constexpr PairLookup kNoPairs = [] {
  PairLookup::Pairs pairs;
  pairs.fill(CoefficientPair::unfit());
  PairLookup lookup;
  lookup.set(pairs);
  return lookup;
}();

}  // namespace

namespace {

struct PairStep {
  size_t bits;  // to drop
  size_t end;   // the place behind the pair
};

// Writes the pair that `index`, the next bits of the window, stands for; `next` is the place of the next coefficient.
PENSTOCK_INLINE inline PairStep write_pair(const PairLookup* pairs, size_t index, const BitWindow& window, size_t next,
                                           JCOEF* coefficients, const PairLookups* lookups) {
  const size_t bits = pairs->bits(index);
  // Another one as far as compilers know, or the lookup of `bits`, for which everything waits, would wait for the
  // address of them all.
  const size_t same_index = opaque(index);
  const size_t sizes = opaque(size_t{pairs->sizes(same_index)});
  const size_t mask = lookups->masks[sizes];
  coefficients[lookups->places[next + (sizes >> 4)]] = pairs->first(same_index);
  const size_t end = next + pairs->advance(same_index);
  const size_t value = (window.bits() >> (-bits & 63)) & mask;
  coefficients[lookups->places[end - 1]] = lookups->values[value + mask];
  return {bits, end};
}

}  // namespace

void HuffmanScan::plan(CodedBlock* blocks, int count) const {
  int index = 0;
  for (CodedBlock* block = blocks; block != blocks + count; ++block) {
    block->index = index;
    block->pairs = &blocks_[index].ac->pairs();
    index = index + 1 == blocks_in_mcu_ ? 0 : index + 1;
    block->next_block_pairs = &blocks_[index].dc->pairs();
  }
}

// One loop over the pairs of all blocks. A block is left by a branch that cannot be foretold, so little waits behind
// it: the DC coefficient is looked up like the others, together with the one that follows it, and added up later.
PENSTOCK_INLINE inline bool HuffmanScan::read_blocks(CodedBlock* blocks, int count) {
  CodedBlock& last = blocks[count - 1];
  const PairLookup* const pairs_behind = std::exchange(last.next_block_pairs, &kNoPairs);
  BitWindow window = window_;
  CodedBlock* block = blocks;
  const PairLookup* pairs = &blocks_[0].dc->pairs();
  const PairLookups* const lookups = opaque(&kLookups);
  size_t next = 0;  // the place of the next coefficient
  const auto next_block = [&](unsigned end) {
    block->end = end;
    pairs = block->next_block_pairs;
    next = 0;
    ++block;
  };
  // Decodes pairs until one leads out of its block, or out of the lookup, and leaves that one.
  const auto decode_pairs = [&]() PENSTOCK_INLINE {
    constexpr int kPairs = 2;  // from the 56 bits that a refill leaves, and the next lookup
    static_assert(kPairs * HuffmanTable::kPairBits + PairLookup::kWidth <= 56);
    window.refill_unwrapped();
    while (true) {
      for (int i = 0; i < kPairs; ++i) {
        // The index is taken before the refill: the lookup does not wait for it.
        const size_t index = opaque(window.bits() >> (64 - PairLookup::kWidth));
        if (i == 0) window.refill_unwrapped();
        // The coefficients and the pairs take registers that there are not.
        const auto [bits, end] = write_pair(pairs, index, window, next, reload(block->coefficients), lookups);
        pairs = reload(block->pairs);
        if (end >= DCTSIZE2) [[likely]] {  // not so, but otherwise it is compiled as jumps out of the loop and back
          const bool is_full = end == DCTSIZE2;  // there is no symbol for its end
          if (!is_full && end - CoefficientPair::kEndsBlock > DCTSIZE2) [[unlikely]]
            return;
          window.drop(bits);
          next_block(is_full ? DCTSIZE2 : end - CoefficientPair::kEndsBlock - 1);
        } else {
          window.drop(bits);
          next = end;
        }
      }
    }
  };
  while (true) {
    decode_pairs();
    if (block == blocks + count) break;
    window.refill_unwrapped();
    const Block& plan = blocks_[block->index];
    const HuffmanSymbol symbol = (next == 0 ? plan.dc : plan.ac)->symbol(window.bits());
    if (!symbol) return false;
    const int value = symbol.value(window.bits());
    window.drop(symbol.total_bits());
    if (next > 0 && symbol.ends_block()) {
      next_block(next);
      continue;
    }
    const unsigned place = next + symbol.run();
    if (place > kLastPlace) return false;
    block->coefficients[kLookups.places[place]] = static_cast<JCOEF>(value);
    pairs = block->pairs;
    next = place + 1;
    if (place == kLastPlace) next_block(next);  // a full block has no symbol for its end
  }
  window_ = window;
  last.next_block_pairs = pairs_behind;
  for (block = blocks; block != blocks + count; ++block) {
    unsigned& dc = last_dc_[blocks_[block->index].component];
    dc += static_cast<unsigned>(block->coefficients[0]);
    block->coefficients[0] = static_cast<JCOEF>(dc);
  }
  return is_within_segment();
}

// The DC coefficient is looked up together with what follows it. Of the others no values are read.
PENSTOCK_INLINE inline bool HuffmanScan::step_over_block(const Block& block, BitWindow& own_window) {
  BitWindow window = own_window;
  const PairLookups* const lookups = opaque(&kLookups);
  const auto is_unfit = [](size_t end) { return end > DCTSIZE2 && end - SkippedCodes::kEndsBlock > DCTSIZE2; };
  const size_t index = opaque(window.bits() >> (64 - SkipTable::kDcLookup));
  window.refill();
  const auto& starts = block.skip->starts();
  const size_t bits = starts.bits[index];
  unsigned& dc = last_dc_[block.component];
  size_t next = starts.advance[index];  // the place of the next coefficient
  if (is_unfit(next)) [[unlikely]] {
    const HuffmanSymbol symbol = block.dc->symbol(window.bits());
    if (!symbol) return false;
    dc += symbol.value(window.bits());
    window.drop(symbol.total_bits());
    next = 1;
  } else {
    const size_t mask = lookups->masks[starts.dc_value_bits[index]];
    dc += lookups->values[((window.bits() >> (-starts.dc_bits[index] & 63)) & mask) + mask];
    window.drop(bits);
  }
  // Looks up codes until the block is over. False where one leads out of the lookup, or too far, and is left.
  const auto step_over_ac = [&]() PENSTOCK_INLINE {
    constexpr int kSteps = 2;
    static_assert(kSteps * SkipTable::kMostBits + SkipTable::kAcLookup <= 56);
    const auto& codes = block.skip->ac();
    while (true) {
      for (int i = 0; i < kSteps; ++i) {
        const size_t ac_index = opaque(window.bits() >> (64 - SkipTable::kAcLookup));
        if (i == 0) window.refill();
        const size_t ac_bits = codes.bits[ac_index];
        const size_t end = next + codes.advance[opaque(ac_index)];  // as in write_pair
        if (end >= DCTSIZE2) [[likely]] {                           // as in read_blocks
          if (is_unfit(end)) [[unlikely]]
            return false;
          window.drop(ac_bits);
          return true;
        }
        window.drop(ac_bits);
        next = end;
      }
    }
  };
  while (next < DCTSIZE2 && !step_over_ac()) {
    window.refill();
    const HuffmanSymbol symbol = block.ac->symbol(window.bits());
    if (!symbol) return false;
    window.drop(symbol.total_bits());
    if (symbol.ends_block()) break;
    next += symbol.run() + 1;
    if (next > DCTSIZE2) return false;
  }
  own_window = window;
  return true;
}

PENSTOCK_INLINE inline bool HuffmanScan::step_over_blocks(int count, JCOEF* dc_values) {
  const Block *block = blocks_.data(), *const mcu_end = block + blocks_in_mcu_;
  BitWindow window = window_;
  window.refill();
  for (const JCOEF* const dc_end = dc_values + count; dc_values != dc_end; ++dc_values) {
    if (!step_over_block(*block, window)) return false;
    *dc_values = static_cast<JCOEF>(last_dc_[block->component]);
    if (++block == mcu_end) block = blocks_.data();
  }
  window_ = window;
  return is_within_segment();
}

// The block's coefficients; the window has been refilled. Of the DC coefficient this is the difference from the last.
PENSTOCK_INLINE inline bool HuffmanScan::read_block(const Block& block, CodedBlock& coded, BitWindow& own_window) {
  BitWindow window = own_window;
  const PairLookups* const lookups = opaque(&kLookups);
  const PairLookup* pairs = &block.dc->pairs();
  JCOEF* const coefficients = coded.coefficients;
  size_t next = 0;
  // As in read_blocks, but over one block.
  const auto decode_pairs = [&]() PENSTOCK_INLINE {
    while (true) {
      for (int i = 0; i < 2; ++i) {
        const size_t index = opaque(window.bits() >> (64 - PairLookup::kWidth));
        if (i == 0) window.refill_unwrapped();
        const auto [bits, end] = write_pair(pairs, index, window, next, coefficients, lookups);
        if (end >= DCTSIZE2) [[likely]] {
          const bool is_full = end == DCTSIZE2;
          if (!is_full && end - CoefficientPair::kEndsBlock > DCTSIZE2) [[unlikely]]
            return false;
          window.drop(bits);
          coded.end = static_cast<unsigned>(is_full ? end : end - CoefficientPair::kEndsBlock - 1);
          return true;
        }
        window.drop(bits);
        pairs = &block.ac->pairs();
        next = end;
      }
    }
  };
  while (!decode_pairs()) {
    window.refill_unwrapped();
    const HuffmanSymbol symbol = (next == 0 ? block.dc : block.ac)->symbol(window.bits());
    if (!symbol) return false;
    const int value = symbol.value(window.bits());
    window.drop(symbol.total_bits());
    coded.end = static_cast<unsigned>(next);
    if (next > 0 && symbol.ends_block()) break;
    const size_t place = next + symbol.run();
    if (place > kLastPlace) return false;
    coefficients[kLookups.places[place]] = static_cast<JCOEF>(value);
    pairs = &block.ac->pairs();
    coded.end = static_cast<unsigned>(next = place + 1);
    if (place == kLastPlace) break;
  }
  own_window = window;
  return true;
}

// Where of some blocks only the DC coefficient is needed, whose AC coefficients are stepped over.
PENSTOCK_INLINE inline bool HuffmanScan::read_needed(CodedBlock* blocks, int count) {
  const Block *block = blocks_.data(), *const mcu_end = block + blocks_in_mcu_;
  BitWindow window = window_;
  window.refill();
  for (CodedBlock* coded = blocks; coded != blocks + count; ++coded) {
    unsigned& dc = last_dc_[block->component];
    if (block->ac_needed) {
      if (!read_block(*block, *coded, window)) return false;
      dc += static_cast<unsigned>(coded->coefficients[0]);
    } else {
      if (!step_over_block(*block, window)) return false;
      coded->end = 1;
    }
    coded->coefficients[0] = static_cast<JCOEF>(dc);
    if (++block == mcu_end) block = blocks_.data();
  }
  window_ = window;
  return is_within_segment();
}

#ifdef PENSTOCK_X86
PENSTOCK_AVX2_BMI2 bool HuffmanScan::read_blocks_bmi2(CodedBlock* blocks, int count) {
  return read_blocks(blocks, count);
}
PENSTOCK_AVX2_BMI2 bool HuffmanScan::read_needed_bmi2(CodedBlock* blocks, int count) {
  return read_needed(blocks, count);
}
PENSTOCK_AVX2_BMI2 bool HuffmanScan::step_over_blocks_bmi2(int count, JCOEF* dc_values) {
  return step_over_blocks(count, dc_values);
}
#endif

int HuffmanScan::take_mcus(int most) {
  int count = most;
  if (restart_interval_ != 0) {
    if (mcus_to_restart_ == 0 && !start_segment()) return 0;
    count = static_cast<int>(std::min<unsigned>(most, mcus_to_restart_));
    mcus_to_restart_ -= count;
  }
  mcus_left_ -= count;
  return count;
}

void HuffmanScan::skip_mcus(int mcus) {
  const int known = std::min(mcus, mcus_ahead_);
  mcus_ahead_ -= known;
  next_dc_ahead_ += known * blocks_in_mcu_;
  skipped_ += mcus - known;
}

bool HuffmanScan::read_mcus(CodedBlock* blocks, int mcus) {
  while (mcus > 0) {
    const int count = take_mcus(mcus), run = count * blocks_in_mcu_;
    if (count == 0) return false;
    const bool steps_over = some_dc_only_ && has_skip_tables_;
#ifdef PENSTOCK_X86
    const bool is_sound = steps_over     ? (kHasAvx2Bmi2 ? read_needed_bmi2(blocks, run) : read_needed(blocks, run))
                          : kHasAvx2Bmi2 ? read_blocks_bmi2(blocks, run)
                                         : read_blocks(blocks, run);
#else
    const bool is_sound = steps_over ? read_needed(blocks, run) : read_blocks(blocks, run);
#endif
    if (!is_sound) return false;
    mcus -= count;
    blocks += run;
  }
  return true;
}

bool HuffmanScan::decode_mcus(CodedBlock* blocks, int mcus) { return step_over_skipped() && read_mcus(blocks, mcus); }

void HuffmanScan::expect_skips(int64_t mcus) {
  if (has_skip_tables_ || mcus * blocks_in_mcu_ < kWorthSkipTables) return;
  for (int i = 0; i < blocks_in_mcu_; ++i) {
    SkipTable& table = shared_->skip_tables[blocks_[i].dc - shared_->dc_tables.data()];
    table.build(blocks_[i].dc->source(), blocks_[i].ac->source());
    blocks_[i].skip = &table;
  }
  has_skip_tables_ = true;
}

bool HuffmanScan::step_over_skipped() {
  skip_segments();
  if (skipped_ == 0) return true;
  if (!has_skip_tables_) return decode_skipped();
  const int most = kMostStepped / blocks_in_mcu_;
  JCOEF unneeded[kMostStepped];
  while (skipped_ > 0) {
    const int count = take_mcus(std::min(skipped_, most));
    if (count == 0 || !step_over_mcus(count, unneeded)) return false;
    skipped_ -= count;
  }
  return true;
}

// A segment can be read without those before it, so whole ones are left out without a look.
void HuffmanScan::skip_segments() {
  if (restart_interval_ == 0 || static_cast<unsigned>(skipped_) < mcus_to_restart_) return;
  const unsigned behind = skipped_ - mcus_to_restart_;  // MCUs behind the segment that has been begun
  next_segment_ += behind / restart_interval_;
  mcus_left_ -= skipped_;
  skipped_ = static_cast<int>(behind % restart_interval_);
  mcus_left_ += skipped_;
  mcus_to_restart_ = 0;
}

bool HuffmanScan::step_over_mcus(int mcus, JCOEF* dc_values) {
  const int count = mcus * blocks_in_mcu_;
#ifdef PENSTOCK_X86
  if (kHasAvx2Bmi2) return step_over_blocks_bmi2(count, dc_values);
#endif
  return step_over_blocks(count, dc_values);
}

bool HuffmanScan::decode_skipped() {
  JBLOCK unneeded[kMostBlocks + 1];
  CodedBlock blocks[kMostBlocks + 1] = {};
  for (int i = 0; i <= kMostBlocks; ++i) blocks[i].coefficients = unneeded[i];
  plan(blocks, kMostBlocks);
  const int most = kMostBlocks / blocks_in_mcu_;
  for (; skipped_ > 0; skipped_ -= std::min(skipped_, most))
    if (!read_mcus(blocks, std::min(skipped_, most))) return false;
  return true;
}

bool HuffmanScan::decode_mcu(JBLOCKROW* blocks) {
  if (!blocks) {
    skip_mcus(1);
    return true;
  }
  expect_skips(skipped_);
  if (!stores_ac_ && has_skip_tables_) return decode_dc(blocks);
  JBLOCK unneeded[D_MAX_BLOCKS_IN_MCU + 1];
  const auto stores = [&](int i) { return i < blocks_in_mcu_ && blocks_[i].needed && blocks_[i].ac_needed; };
  for (int i = 0; i <= blocks_in_mcu_; ++i) mcu_[i].coefficients = stores(i) ? blocks[i][0] : unneeded[i];
  if (!decode_mcus(mcu_.data(), 1)) return false;
  for (int i = 0; i < blocks_in_mcu_; ++i)
    if (blocks_[i].needed) blocks[i][0][0] = mcu_[i].coefficients[0];
  return true;
}

// Several MCUs are read at once and kept.
bool HuffmanScan::decode_dc(JBLOCKROW* blocks) {
  if (mcus_ahead_ == 0) {
    if (!step_over_skipped()) return false;
    mcus_ahead_ = take_mcus(std::min(kMostStepped / blocks_in_mcu_, mcus_left_));
    if (mcus_ahead_ == 0 || !step_over_mcus(mcus_ahead_, dc_ahead_.data())) return false;
    next_dc_ahead_ = dc_ahead_.data();
  }
  for (int i = 0; i < blocks_in_mcu_; ++i)
    if (blocks_[i].needed) blocks[i][0][0] = next_dc_ahead_[i];
  next_dc_ahead_ += blocks_in_mcu_;
  --mcus_ahead_;
  return true;
}

bool HuffmanScan::start_segment() {
  if (next_segment_ >= shared_->data.segments()) return false;
  window_ = shared_->data.segment(next_segment_++);
  last_dc_.fill(0);
  mcus_to_restart_ = restart_interval_;
  return true;
}

bool HuffmanScan::begin(j_decompress_ptr cinfo) {
  if (!shared_) shared_ = std::make_shared<Shared>();
  const bool baseline = !cinfo->progressive_mode && !cinfo->arith_code && cinfo->data_precision == 8 &&
                        cinfo->Ss == 0 && cinfo->Se == DCTSIZE2 - 1;
  if (!baseline || cinfo->comps_in_scan != cinfo->num_components || !plan_blocks(cinfo) || !copy_data(cinfo))
    return false;
  restart_interval_ = cinfo->restart_interval;
  has_skip_tables_ = false;
  skipped_ = mcus_ahead_ = 0;
  next_segment_ = 0;
  plan(mcu_.data(), blocks_in_mcu_);
  mcus_left_ = static_cast<int>(cinfo->MCUs_per_row * cinfo->MCU_rows_in_scan);
  const auto stores_ac = [](const Block& block) { return block.needed && block.ac_needed; };
  stores_ac_ = std::any_of(blocks_.begin(), blocks_.begin() + blocks_in_mcu_, stores_ac);
  some_dc_only_ =
      std::any_of(blocks_.begin(), blocks_.begin() + blocks_in_mcu_, [](const Block& b) { return !b.ac_needed; });
  if (some_dc_only_) expect_skips(mcus_left_);
  return start_segment();
}

bool HuffmanScan::plan_blocks(j_decompress_ptr cinfo) {
  blocks_in_mcu_ = 0;
  for (int component = 0; component < cinfo->comps_in_scan; ++component) {
    const jpeg_component_info& info = *cinfo->cur_comp_info[component];
    if (info.dc_tbl_no >= NUM_HUFF_TBLS || info.ac_tbl_no >= NUM_HUFF_TBLS) return false;
    const JHUFF_TBL* dc = cinfo->dc_huff_tbl_ptrs[info.dc_tbl_no];
    const JHUFF_TBL* ac = cinfo->ac_huff_tbl_ptrs[info.ac_tbl_no];
    int owner = 0;  // the first component of the same tables
    while (cinfo->cur_comp_info[owner]->dc_tbl_no != info.dc_tbl_no ||
           cinfo->cur_comp_info[owner]->ac_tbl_no != info.ac_tbl_no)
      ++owner;
    HuffmanTable& dc_table = shared_->dc_tables[owner];
    HuffmanTable& ac_table = shared_->ac_tables[info.ac_tbl_no];
    if (!dc || !ac || !dc_table.build(*dc, HuffmanTable::Kind::dc) || !ac_table.build(*ac, HuffmanTable::Kind::ac))
      return false;
    ac_table.build_pairs(ac_table);
    dc_table.build_pairs(ac_table);
    const int count = cinfo->comps_in_scan == 1 ? 1 : info.h_samp_factor * info.v_samp_factor;
    if (blocks_in_mcu_ + count > D_MAX_BLOCKS_IN_MCU) return false;
    const Block block{&dc_table,      &ac_table, component, static_cast<bool>(info.component_needed),
                      needs_ac(info), nullptr};
    for (int i = 0; i < count; ++i) blocks_[blocks_in_mcu_++] = block;
  }
  return true;
}

bool HuffmanScan::copy_data(j_decompress_ptr cinfo) {
  const JOCTET* const begin = cinfo->src->next_input_byte;
  const JOCTET* const end = begin + cinfo->src->bytes_in_buffer;
  ScanData& data = shared_->data;
  const JOCTET* const marker = data.copy(begin, end, cinfo->restart_interval);
  if (!marker || data.marker() != JPEG_EOI) return false;
  cinfo->src->next_input_byte = marker;
  cinfo->src->bytes_in_buffer = end - marker;
  return true;
}

}  // namespace penstock
