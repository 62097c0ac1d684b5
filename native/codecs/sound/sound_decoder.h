// Decodes a part of an opened sound file, downmixed and resampled on request.
#pragma once

#include <memory>

#include "codecs/sound/sound.h"
#include "kernels/audio/sinc_filter.h"
#include "memory/scratch.h"
#include "memory/view.h"

namespace penstock {

struct SoundRequest {
  DType dtype = DType::f32;  ///< i16, i32 or f32
  bool downmix = false;      ///< one axis of the mean over the channels, instead of two
  double sample_rate = 0;    ///< as it is where not positive
  double offset = 0;         ///< in seconds
  double duration = -1;      ///< in seconds; to the end where negative
  int64_t max_bytes = 0;     ///< that decoding may take
};

class SoundDecoder {
 public:
  /// Throws where the file does not have what is asked for.
  SoundDecoder(std::unique_ptr<Sound> sound, const SoundRequest& request);

  const Shape& shape() const { return shape_; }
  bool tells_extent() const { return sound_->format().tells_extent; }
  /// The sample rate of the file, and of the result.
  int stored_rate() const { return sound_->format().rate; }
  double rate() const { return resamples() ? request_.sample_rate : stored_rate(); }

  /// Fills `out`, of the shape and dtype asked for. `filter` is needed for another sample rate only.
  void decode(View out, const SincFilter& filter, Scratch& scratch);

 private:
  bool resamples() const { return request_.sample_rate > 0 && request_.sample_rate != stored_rate(); }
  void read_as_is(View out, Scratch& scratch);
  void read(std::byte* out, DType dtype, int64_t frames);
  void read_mixed(std::byte* out, DType dtype, int64_t frames, Scratch& scratch);

  std::unique_ptr<Sound> sound_;
  SoundRequest request_;
  int64_t next_ = 0, frames_ = 0;
  Shape shape_;
};

}  // namespace penstock
