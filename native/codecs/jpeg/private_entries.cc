#include "codecs/jpeg/private_entries.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/jpeg/round_trip.h"
#include "os/shared_library.h"

namespace penstock {
namespace {

// Of a struct with another layout the entry would be data, or a function of somebody else.
template <typename Function>
bool is_of_libjpeg(Function* entry) {
  return entry && are_of_one_library(reinterpret_cast<void*>(entry), reinterpret_cast<void*>(&jpeg_resync_to_restart));
}

constexpr JDIMENSION kTrialHeight = 40, kTrialWidth = 56;
constexpr int kTrialUnits = 3 * 4;

/// A small picture coded and decoded by libjpeg, with its entropy coding called directly or through functions of ours.
class Trial : RoundTrip {
 public:
  explicit Trial(bool replaces) : RoundTrip(16384), replaces_(replaces) {}

  bool run() {
    if (setjmp(jump_) != 0) return false;
    if (!compress() || !decompress()) return false;
    return !replaces_ || (encoded_ == kTrialUnits && decoded_ == kTrialUnits && were_zeros_);
  }

  const std::vector<JSAMPLE>& pixels() const { return pixels_; }

 private:
  template <typename Info>
  static Trial& of(Info* info) {
    return static_cast<Trial&>(RoundTrip::of(info));
  }

  static boolean encode(j_compress_ptr info, JBLOCKROW* unit) {
    ++of(info).encoded_;
    return of(info).own_encode_(info, unit);
  }

  // HuffmanScan writes only what is not zero.
  static boolean decode(j_decompress_ptr info, JBLOCKROW* unit) {
    Trial& self = of(info);
    ++self.decoded_;
    for (int k = 0; k < info->blocks_in_MCU; ++k)
      self.were_zeros_ &=
          std::all_of(*unit[k], *unit[k] + DCTSIZE2, [](JCOEF coefficient) { return coefficient == 0; });
    return self.own_decode_(info, unit);
  }

  bool compress() {
    start_compress(kTrialHeight, kTrialWidth, 75);
    if (replaces_) {
      own_encode_ = compressor_.entropy->encode_mcu;
      if (!is_of_libjpeg(compressor_.entropy->start_pass) || !is_of_libjpeg(own_encode_)) return false;
      compressor_.entropy->encode_mcu = encode;
    }
    std::array<JSAMPLE, kChannels * kTrialWidth> row;
    for (JDIMENSION y = 0; y < kTrialHeight; ++y) {
      for (JDIMENSION i = 0; i < row.size(); ++i) row[i] = static_cast<JSAMPLE>(i * i + 7 * y * (i % kChannels + y));
      JSAMPROW rows[] = {row.data()};
      jpeg_write_scanlines(&compressor_, rows, 1);
    }
    jpeg_finish_compress(&compressor_);
    return true;
  }

  bool decompress() {
    start_decompress();
    if (replaces_) {
      own_decode_ = decompressor_.entropy->decode_mcu;
      if (!is_of_libjpeg(decompressor_.entropy->start_pass) || !is_of_libjpeg(own_decode_)) return false;
      decompressor_.entropy->decode_mcu = decode;
    }
    while (decompressor_.output_scanline < kTrialHeight) {
      JSAMPROW rows[] = {pixels_.data() + decompressor_.output_scanline * size_t{kChannels * kTrialWidth}};
      jpeg_read_scanlines(&decompressor_, rows, 1);
    }
    return true;
  }

  bool replaces_;
  int encoded_ = 0, decoded_ = 0;
  bool were_zeros_ = true;
  boolean (*own_encode_)(j_compress_ptr, JBLOCKROW*) = nullptr;
  boolean (*own_decode_)(j_decompress_ptr, JBLOCKROW*) = nullptr;
  std::vector<JSAMPLE> pixels_ = std::vector<JSAMPLE>(size_t{kChannels} * kTrialHeight * kTrialWidth);
};

bool try_replacing() {
  const char* asked = std::getenv("PENSTOCK_LIBJPEG");
  if (asked && std::string_view(asked) != "public")
    throw std::runtime_error("PENSTOCK_LIBJPEG is \"" + std::string(asked) + "\"; public is known");
  if (asked) return false;
  Trial direct(false), replaced(true);
  return direct.run() && replaced.run() && direct.pixels() == replaced.pixels();
}

}  // namespace

bool can_replace_entropy_coding() {
  static const bool can = try_replacing();
  return can;
}

}  // namespace penstock
