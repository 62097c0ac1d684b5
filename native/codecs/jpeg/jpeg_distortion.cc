#include "codecs/jpeg/jpeg_distortion.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <string>

#include "codecs/jpeg/private_entries.h"
#include "codecs/jpeg/round_trip.h"

namespace penstock {
namespace {

constexpr int kBlocks = 6;                       // in a unit: four of luma, one of each chroma
constexpr JDIMENSION kStrip = RoundTrip::kUnit;  // rows handed over at once
// A coefficient's code has 16 bits at most, its value 11, and a byte of ones is followed by another.
constexpr size_t kMaxBlockBytes = 2 * DCTSIZE2 * (16 + 11) / 8;

/// A compressor and a decompressor with a store of coefficients between them, or a whole JPEG where libjpeg does not
/// let its entropy coding be replaced.
class Distortion : RoundTrip {
 public:
  Distortion(JBLOCK* blocks, size_t count)
      : RoundTrip(kHeaderBytes + (can_replace_entropy_coding() ? 0 : count * kMaxBlockBytes)),
        blocks_(blocks),
        count_(count),
        is_stored_(can_replace_entropy_coding()) {}

  void run(uint8_t* out, const uint8_t* in, JDIMENSION height, JDIMENSION width, int quality) {
    if (setjmp(jump_) != 0) {
      char message[JMSG_LENGTH_MAX];
      errors_.format_message(reinterpret_cast<j_common_ptr>(&compressor_), message);
      throw std::runtime_error(std::string("the image cannot be compressed as JPEG: ") + message);
    }
    compress(in, height, width, quality);
    decompress(out);
  }

 private:
  template <typename Info>
  static Distortion& of(Info* info) {
    return static_cast<Distortion&>(RoundTrip::of(info));
  }

  JBLOCK& next_block(size_t& position) {
    if (position == count_) std::longjmp(jump_, 1);
    return blocks_[position++];
  }

  static boolean keep(j_compress_ptr info, JBLOCKROW* unit) {
    for (int k = 0; k < info->blocks_in_MCU; ++k)
      std::memcpy(of(info).next_block(of(info).kept_), unit[k], sizeof(JBLOCK));
    return TRUE;
  }

  static boolean give(j_decompress_ptr info, JBLOCKROW* unit) {
    for (int k = 0; k < info->blocks_in_MCU; ++k)
      std::memcpy(unit[k], of(info).next_block(of(info).given_), sizeof(JBLOCK));
    return TRUE;
  }

  void compress(const uint8_t* in, JDIMENSION height, JDIMENSION width, int quality) {
    start_compress(height, width, quality);
    if (is_stored_) compressor_.entropy->encode_mcu = keep;
    std::array<JSAMPROW, kStrip> rows;
    while (compressor_.next_scanline < height) {
      const JDIMENSION first = compressor_.next_scanline, count = std::min(kStrip, height - first);
      for (JDIMENSION i = 0; i < count; ++i)
        rows[i] = const_cast<JSAMPROW>(in) + static_cast<size_t>(first + i) * width * kChannels;
      jpeg_write_scanlines(&compressor_, rows.data(), count);
    }
    if (!is_stored_) jpeg_finish_compress(&compressor_);
  }

  void decompress(uint8_t* out) {
    start_decompress();
    if (is_stored_) decompressor_.entropy->decode_mcu = give;
    const size_t row_bytes = static_cast<size_t>(decompressor_.output_width) * kChannels;
    std::array<JSAMPROW, kStrip> rows;
    while (decompressor_.output_scanline < decompressor_.output_height) {
      const JDIMENSION first = decompressor_.output_scanline;
      for (JDIMENSION i = 0; i < kStrip; ++i) rows[i] = out + (first + i) * row_bytes;
      jpeg_read_scanlines(&decompressor_, rows.data(), std::min(kStrip, decompressor_.output_height - first));
    }
  }

  JBLOCK* blocks_;
  size_t count_;
  size_t kept_ = 0, given_ = 0;
  bool is_stored_;
};

}  // namespace

void distort_as_jpeg(uint8_t* out, const uint8_t* in, int64_t height, int64_t width, int quality, Scratch& scratch) {
  if (height == 0 || width == 0) return;
  if (std::max(height, width) > JPEG_MAX_DIMENSION)
    throw std::runtime_error("the image is " + std::to_string(height) + "x" + std::to_string(width) +
                             "; a JPEG has at most " + std::to_string(JPEG_MAX_DIMENSION) + " rows and columns");
  const auto units = [](int64_t pixels) {
    return static_cast<size_t>((pixels + RoundTrip::kUnit - 1) / RoundTrip::kUnit);
  };
  const size_t blocks = units(height) * units(width) * kBlocks;
  Distortion distortion(scratch.array<JBLOCK>(kStepTemp, blocks), blocks);
  distortion.run(out, in, static_cast<JDIMENSION>(height), static_cast<JDIMENSION>(width), quality);
}

}  // namespace penstock
