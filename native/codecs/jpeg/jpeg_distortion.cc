#include "codecs/jpeg/jpeg_distortion.h"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstring>
#include <stdexcept>
#include <string>

#include "codecs/jpeg/libjpeg.h"

namespace penstock {
namespace {

constexpr int kChannels = 3;
constexpr int kUnit = 16;             // pixels along the edge of what is coded together, with chroma at half resolution
constexpr int kBlocks = 6;            // in such a unit: four of luma, one of each chroma
constexpr JDIMENSION kStrip = kUnit;  // rows handed over at once

/// A compressor and a decompressor with a store of coefficients between them.
class Distortion {
 public:
  Distortion(JBLOCK* blocks, size_t count) : blocks_(blocks), count_(count) {
    jpeg_std_error(&errors_);
    errors_.error_exit = [](j_common_ptr info) { std::longjmp(of(info).jump_, 1); };
    errors_.emit_message = [](j_common_ptr, int) {};
    compressor_.err = decompressor_.err = &errors_;
    compressor_.client_data = decompressor_.client_data = this;
    target_.init_destination = [](j_compress_ptr) {};
    target_.empty_output_buffer = [](j_compress_ptr info) -> boolean { std::longjmp(of(info).jump_, 1); };
    target_.term_destination = [](j_compress_ptr) {};
    source_.init_source = [](j_decompress_ptr) {};
    source_.fill_input_buffer = [](j_decompress_ptr info) -> boolean { std::longjmp(of(info).jump_, 1); };
    source_.skip_input_data = [](j_decompress_ptr info, long) { std::longjmp(of(info).jump_, 1); };
    source_.resync_to_restart = jpeg_resync_to_restart;
    source_.term_source = [](j_decompress_ptr) {};
  }
  ~Distortion() {
    jpeg_destroy_compress(&compressor_);
    jpeg_destroy_decompress(&decompressor_);
  }
  Distortion(const Distortion&) = delete;
  Distortion& operator=(const Distortion&) = delete;

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
    return *static_cast<Distortion*>(info->client_data);
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
    jpeg_create_compress(&compressor_);
    target_.next_output_byte = headers_.data();
    target_.free_in_buffer = headers_.size();
    compressor_.dest = &target_;
    compressor_.image_height = height;
    compressor_.image_width = width;
    compressor_.input_components = kChannels;
    compressor_.in_color_space = JCS_RGB;
    jpeg_set_defaults(&compressor_);
    jpeg_set_quality(&compressor_, quality, TRUE);
    jpeg_start_compress(&compressor_, TRUE);
    compressor_.entropy->encode_mcu = keep;
    std::array<JSAMPROW, kStrip> rows;
    while (compressor_.next_scanline < height) {
      const JDIMENSION first = compressor_.next_scanline, count = std::min(kStrip, height - first);
      for (JDIMENSION i = 0; i < count; ++i)
        rows[i] = const_cast<JSAMPROW>(in) + static_cast<size_t>(first + i) * width * kChannels;
      jpeg_write_scanlines(&compressor_, rows.data(), count);
    }
  }

  void decompress(uint8_t* out) {
    jpeg_create_decompress(&decompressor_);
    source_.next_input_byte = headers_.data();
    source_.bytes_in_buffer = headers_.size() - target_.free_in_buffer;
    decompressor_.src = &source_;
    jpeg_read_header(&decompressor_, TRUE);
    decompressor_.out_color_space = JCS_RGB;
    jpeg_start_decompress(&decompressor_);
    decompressor_.entropy->decode_mcu = give;
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
  jpeg_compress_struct compressor_{};
  jpeg_decompress_struct decompressor_{};
  jpeg_error_mgr errors_{};
  jpeg_destination_mgr target_{};
  jpeg_source_mgr source_{};
  std::array<JOCTET, 2048> headers_;  // they take some 620 bytes
  jmp_buf jump_;
};

}  // namespace

void distort_as_jpeg(uint8_t* out, const uint8_t* in, int64_t height, int64_t width, int quality, Scratch& scratch) {
  if (height == 0 || width == 0) return;
  if (std::max(height, width) > JPEG_MAX_DIMENSION)
    throw std::runtime_error("the image is " + std::to_string(height) + "x" + std::to_string(width) +
                             "; a JPEG has at most " + std::to_string(JPEG_MAX_DIMENSION) + " rows and columns");
  const auto units = [](int64_t pixels) { return static_cast<size_t>((pixels + kUnit - 1) / kUnit); };
  const size_t blocks = units(height) * units(width) * kBlocks;
  Distortion distortion(scratch.array<JBLOCK>(kStepTemp, blocks), blocks);
  distortion.run(out, in, static_cast<JDIMENSION>(height), static_cast<JDIMENSION>(width), quality);
}

}  // namespace penstock
