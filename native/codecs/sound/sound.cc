#include "codecs/sound/sound.h"

#include <cstdio>
#include <stdexcept>

#include "codecs/sound/flac.h"
#include "codecs/sound/sndfile.h"
#include "codecs/sound/sound_extent.h"
#include "codecs/sound/wav.h"

namespace penstock {
namespace {

// A FLAC frame of silence is the least that can stand for a sound.
constexpr int64_t kMostPerByte = 65536;

std::string frame_in_seconds(int64_t frame, int rate) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f s", static_cast<double>(frame) / rate);
  return text;
}

}  // namespace

void Sound::require_plausible(int64_t bytes) const {
  if (format_.rate <= 0 || format_.channels <= 0)
    throw std::runtime_error("the header is damaged: " + std::to_string(format_.channels) + " channels at " +
                             std::to_string(format_.rate) + " Hz");
  if (format_.frames < 0 || format_.frames > kMostPerByte * bytes / format_.channels)
    throw std::runtime_error("the file is damaged or cut off: its length cannot be told");
}

void Sound::fail(int64_t frame, const std::string& reason) const {
  throw std::runtime_error("the file is damaged or cut off: decoding ended at " +
                           frame_in_seconds(frame, format_.rate) + " of " +
                           frame_in_seconds(format_.frames, format_.rate) + (reason.empty() ? "" : ": ") + reason);
}

std::unique_ptr<Sound> open_sound(std::unique_ptr<ByteSource> bytes, bool from_start, bool whole) {
  if (bytes->size() == 0) throw std::runtime_error("the file is empty");
  if (const std::optional<WavData> data = find_wav_data(*bytes)) return std::make_unique<Wav>(std::move(bytes), *data);
  if (from_start || !has_sndfile())
    if (const std::optional<FlacHeader> header = find_flac_header(*bytes))
      return std::make_unique<Flac>(std::move(bytes), *header);
  const bool tells = tells_extent(*bytes, from_start && whole);
  return open_with_sndfile(std::move(bytes), tells);
}

}  // namespace penstock
