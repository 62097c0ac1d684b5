// Uncompressed WAV files; compressed ones are left to libsndfile.
#pragma once

#include <optional>
#include <vector>

#include "codecs/sound/sound.h"
#include "kernels/audio/pcm.h"

namespace penstock {

/// Lengths from here on stand for one that was not known: programs that write into a pipe cannot know it. sox puts this
/// number, ffmpeg 0xFFFFFFFF.
constexpr uint32_t kUnknownWavBytes = 0x7FFFF000;

/// Where the sound of a WAV file lies in it and how it is stored.
struct WavData {
  Pcm kind;
  int channels = 0, rate = 0;
  int64_t offset = 0, frames = 0;
  bool tells_extent = true;
};

/// Reads the header; nothing where the file is no WAV file of plain elements. Throws where it is, but a damaged one.
std::optional<WavData> find_wav_data(ByteSource& bytes);

class Wav : public Sound {
 public:
  Wav(std::unique_ptr<ByteSource> bytes, const WavData& data);
  void seek(int64_t frame) override { next_ = frame; }
  void read(std::byte* out, DType dtype, int64_t frames) override;

 private:
  std::unique_ptr<ByteSource> bytes_;
  WavData data_;
  int64_t next_ = 0;
  std::vector<std::byte> buffer_;
};

}  // namespace penstock
