#include "codecs/sound.h"

#include <stdexcept>

#include "codecs/sndfile.h"
#include "codecs/wav.h"

namespace penstock {

std::unique_ptr<Sound> open_sound(std::unique_ptr<ByteSource> bytes) {
  if (bytes->size() == 0) throw std::runtime_error("the file is empty");
  const std::optional<WavData> data = find_wav_data(*bytes);
  if (data) return std::make_unique<Wav>(std::move(bytes), *data);
  return open_with_sndfile(std::move(bytes));
}

}  // namespace penstock
