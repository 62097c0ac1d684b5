// Huffman decoding of the scans of progressive JPEGs, each of which adds coefficients or a bit to those that are known.
#pragma once

#include <array>
#include <cstdint>

#include "codecs/jpeg/bit_window.h"
#include "codecs/jpeg/huffman_table.h"
#include "codecs/jpeg/scan_data.h"
#include "codecs/jpeg/scan_headers.h"
#include "codecs/jpeg/vector_code.h"

namespace penstock {

/// The blocks of one component. Only some have their coefficients kept. Of the others, up to the last row of those, it
/// is known which coefficients are not zero: a scan that refines them has a bit for each.
struct BlockPlane {
  int across = 1, down = 1;                      // blocks of an MCU
  int width = 0, height = 0;                     // blocks of the component itself
  int stride = 0;                                // the same with those that fill up the last MCU of a row
  int left = 0, right = 0, top = 0, bottom = 0;  // the blocks that are kept
  uint64_t* nonzero = nullptr;                   // AC coefficients of each block, a bit for each in the stream's order
  JBLOCK* blocks = nullptr;                      // those that are kept

  bool keeps(int row, int column) const { return row >= top && row < bottom && column >= left && column < right; }
  uint64_t* nonzero_at(int row, int column) const { return nonzero + static_cast<int64_t>(row) * stride + column; }
  JBLOCK* kept_at(int row, int column) const {
    return blocks + static_cast<int64_t>(row - top) * (right - left) + (column - left);
  }
};

#ifdef PENSTOCK_JPEG_VECTORS
/// Decodes one scan after the other. May be used only where has_jpeg_vectors().
class ProgressiveScan {
 public:
  /// How many MCUs there are in a row, and in how many rows they are needed.
  struct Mcus {
    int across = 0, rows = 0;
  };

  /// Takes the data of the scan whose header was read last. False where the file ends in it.
  bool copy_data(const ScanHeaders& headers, const JOCTET* from, const JOCTET* end);
  const ScanData& data() const { return data_; }

  /// Adds the scan to `planes`, as far as they are needed. False where the data or its tables are damaged.
  bool decode(const ScanHeaders& headers, const BlockPlane* planes, Mcus mcus);

 private:
  /// A block of an MCU.
  struct Block {
    const BlockPlane* plane;
    const HuffmanTable* table;
    unsigned* last_dc;
    int across, down;  // blocks from one MCU to the next
    int x, y;          // in the MCU
    // In a row of MCUs: those that are kept, from the first on, and of which MCUs they are.
    JBLOCK* kept = nullptr;
    int first_kept = 0, end_kept = 0;

    PENSTOCK_INLINE JCOEF* kept_dc(int mcu) const {
      return mcu >= first_kept && mcu < end_kept ? &kept[static_cast<int64_t>(mcu - first_kept) * across][0] : nullptr;
    }
  };

  bool decode_dc(const ScanHeaders& headers, const BlockPlane* planes, Mcus mcus);
  bool decode_ac(const ScanHeaders& headers, const BlockPlane& plane);
  template <typename Read>
  bool read_mcus(Mcus mcus, int most, Read&& read);
  template <typename Read>
  bool read_blocks(const BlockPlane& plane, Read&& read);
  bool start_segment();
  void find_kept_blocks(int row);

  PENSTOCK_BIT_CODE bool read_dc(int column, int count);
  PENSTOCK_BIT_CODE void refine_dc(int column, int count);
  template <bool kKeeps>
  PENSTOCK_BIT_CODE bool read_ac(uint64_t* nonzero, JBLOCK* blocks, int count);
  template <bool kKeeps>
  PENSTOCK_BIT_CODE bool refine_ac(uint64_t* nonzero, JBLOCK* blocks, int count);

  ScanData data_;
  std::array<HuffmanTable, MAX_COMPS_IN_SCAN> tables_;
  ScanHeader header_;
  unsigned restart_interval_ = 0, mcus_to_restart_ = 0;
  size_t next_segment_ = 0;
  std::array<Block, D_MAX_BLOCKS_IN_MCU> blocks_;
  int blocks_in_mcu_ = 0;
  std::array<unsigned, MAX_COMPS_IN_SCAN> last_dc_{};
  unsigned ending_blocks_ = 0;  // in which nothing but bits that refine comes any more
  BitWindow window_;
};
#endif

}  // namespace penstock
