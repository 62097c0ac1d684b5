// A sound file opened for decoding, whatever its format.
#pragma once

#include <memory>
#include <string>

#include "codecs/byte_source.h"
#include "memory/view.h"

namespace penstock {

class Sound {
 public:
  struct Format {
    int64_t frames = 0;
    int channels = 0;
    int rate = 0;
    bool floats = false;       ///< what is stored are floats, or comes to be as floats
    bool tells_extent = true;  ///< the file says how long it is; one that does not may have been cut off
  };

  virtual ~Sound() = default;
  const Format& format() const { return format_; }

  /// The next `read` begins at `frame`, which may be the end.
  virtual void seek(int64_t frame) = 0;
  /// The next frames, their channels side by side, as f32, or i16 and i32 too where what is stored are whole numbers.
  /// No more frames are asked for than there are; throws where they cannot be decoded.
  virtual void read(std::byte* out, DType dtype, int64_t frames) = 0;

 protected:
  /// Throws where so many bytes cannot hold what `format_` says.
  void require_plausible(int64_t bytes) const;
  /// Throws, telling where decoding came to its end and why.
  [[noreturn]] void fail(int64_t frame, const std::string& reason) const;

  Format format_;
};

/// Opens plain WAV and most FLAC files by itself and all others with libsndfile, also FLAC where it is to be decoded
/// from the middle on. `whole` is whether it is to be decoded up to its end. Throws where `bytes` are no sound, or less
/// of it than their header says.
std::unique_ptr<Sound> open_sound(std::unique_ptr<ByteSource> bytes, bool from_start, bool whole);

}  // namespace penstock
