// FLAC files of up to 24 bits, decoded in less time than by libsndfile, and without it.
#pragma once

#include <optional>

#include "codecs/sound/flac_frame.h"
#include "codecs/sound/sound.h"

namespace penstock {

/// What the beginning of a file says, and where its first frame is.
struct FlacHeader {
  FlacStream stream;
  int rate = 0;
  int64_t frames = 0, offset = 0;
};

/// Reads the header; nothing where there is none, or one of a file that only libsndfile decodes.
std::optional<FlacHeader> find_flac_header(ByteSource& bytes);

class Flac : public Sound {
 public:
  Flac(std::unique_ptr<ByteSource> bytes, const FlacHeader& header);
  /// Everything before `frame` is decoded.
  void seek(int64_t frame) override;
  void read(std::byte* out, DType dtype, int64_t frames) override;

 private:
  void decode_next();

  std::unique_ptr<ByteSource> bytes_;
  FlacStream stream_;
  int64_t at_, window_;  // the next frame, and how many bytes are looked at to decode it
  std::vector<std::byte> buffer_;
  FlacBlock block_;
  int64_t taken_ = 0;  // of the block
  int64_t next_ = 0;
};

}  // namespace penstock
