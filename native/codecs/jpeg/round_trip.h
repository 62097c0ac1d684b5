// Pixels to a JPEG in memory and back again, by libjpeg.
#pragma once

#include <csetjmp>
#include <memory>

#include "codecs/jpeg/libjpeg.h"

namespace penstock {

/// A compressor of RGB pixels and a decompressor of what it wrote. An error, or a JPEG of more than `stream_bytes`,
/// jumps to `jump`.
class RoundTrip {
 public:
  static constexpr int kChannels = 3;
  static constexpr int kUnit = 16;              // pixels along the edge of what is coded together: chroma is halved
  static constexpr size_t kHeaderBytes = 2048;  // they take some 620

  RoundTrip(const RoundTrip&) = delete;
  RoundTrip& operator=(const RoundTrip&) = delete;

 protected:
  explicit RoundTrip(size_t stream_bytes);
  ~RoundTrip();

  template <typename Info>
  static RoundTrip& of(Info* info) {
    return *static_cast<RoundTrip*>(info->client_data);
  }

  void start_compress(JDIMENSION height, JDIMENSION width, int quality);
  void start_decompress();

  jpeg_compress_struct compressor_{};
  jpeg_decompress_struct decompressor_{};
  jpeg_error_mgr errors_{};
  jmp_buf jump_;

 private:
  jpeg_destination_mgr target_{};
  jpeg_source_mgr source_{};
  size_t stream_bytes_;
  std::unique_ptr<JOCTET[]> stream_;
};

}  // namespace penstock
