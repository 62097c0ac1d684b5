#include "codecs/sound/wav.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

#include "codecs/sound/stored_number.h"

namespace penstock {
namespace {

constexpr int64_t kBlockBytes = 64 << 10;
constexpr uint16_t kWhole = 1, kFloat = 3, kExtensible = 0xFFFE;
// What follows the two bytes of the format in the name of a plain one.
constexpr uint8_t kPlainName[14] = {0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71};

bool is_named(const std::byte* at, const char* name) { return std::memcmp(at, name, 4) == 0; }

std::optional<Pcm> kind_of(uint16_t format, int bits) {
  if (format == kWhole) {
    if (bits == 8) return Pcm::u8;
    if (bits == 16) return Pcm::i16;
    if (bits == 24) return Pcm::i24;
    if (bits == 32) return Pcm::i32;
  }
  if (format == kFloat) {
    if (bits == 32) return Pcm::f32;
    if (bits == 64) return Pcm::f64;
  }
  return std::nullopt;
}

/// The content of the chunk "fmt "; nothing where elements are not plain.
std::optional<WavData> read_format(const std::byte* chunk, int64_t size) {
  uint16_t format = stored_number<uint16_t>(chunk);
  if (format == kExtensible && size >= 40 && std::memcmp(chunk + 26, kPlainName, sizeof kPlainName) == 0)
    format = stored_number<uint16_t>(chunk + 24);
  const std::optional<Pcm> kind = kind_of(format, stored_number<uint16_t>(chunk + 14));
  if (!kind) return std::nullopt;
  const int channels = stored_number<uint16_t>(chunk + 2);
  const uint32_t rate = stored_number<uint32_t>(chunk + 4);
  if (channels == 0) throw std::runtime_error("the WAV header is damaged: it says there are 0 channels");
  if (rate == 0 || rate > static_cast<uint32_t>(std::numeric_limits<int32_t>::max()))
    throw std::runtime_error("the WAV header is damaged: it says the sample rate is " + std::to_string(rate) + " Hz");
  if (stored_number<uint16_t>(chunk + 12) != channels * item_bytes(*kind)) return std::nullopt;
  return WavData{*kind, channels, static_cast<int>(rate)};
}

void find_frames(WavData& data, int64_t offset, uint32_t promised, int64_t size) {
  const int64_t there = size - offset;
  if (promised > there && promised < kUnknownWavBytes)
    throw std::runtime_error("the WAV file is cut off: its header promises " + std::to_string(promised) +
                             " bytes of sound, " + std::to_string(there) + " are there");
  data.offset = offset;
  data.tells_extent = promised < kUnknownWavBytes;
  data.frames = std::min<int64_t>(promised, there) / (data.channels * item_bytes(data.kind));
}

}  // namespace

std::optional<WavData> find_wav_data(ByteSource& bytes) {
  std::vector<std::byte> buffer;
  const int64_t size = bytes.size();
  if (size < 12) return std::nullopt;
  const std::byte* head = bytes.bytes(0, 12, buffer);
  if (!is_named(head, "RIFF") || !is_named(head + 8, "WAVE")) return std::nullopt;
  std::optional<WavData> data;
  for (int64_t at = 12; size - at >= 8;) {
    const std::byte* chunk = bytes.bytes(at, 8, buffer);
    const uint32_t length = stored_number<uint32_t>(chunk + 4);
    const bool is_format = is_named(chunk, "fmt "), is_data = is_named(chunk, "data");
    at += 8;
    if (is_format && length >= 16 && length <= size - at) {
      const int64_t needed = std::min<int64_t>(length, 40);
      data = read_format(bytes.bytes(at, needed, buffer), needed);
      if (!data) return std::nullopt;
    } else if (is_data && data) {
      find_frames(*data, at, length, size);
      return data;
    }
    at += length + length % 2;
  }
  throw std::runtime_error("the WAV file is damaged or cut off: there is no " +
                           std::string(data ? "sound" : "description of the sound") + " in its " +
                           std::to_string(size) + " bytes");
}

Wav::Wav(std::unique_ptr<ByteSource> bytes, const WavData& data) : bytes_(std::move(bytes)), data_(data) {
  format_ = {data.frames, data.channels, data.rate, is_float(data.kind), data.tells_extent};
}

void Wav::read(std::byte* out, DType dtype, int64_t frames) {
  const int64_t frame_bytes = data_.channels * item_bytes(data_.kind);
  const int64_t block = std::max<int64_t>(1, kBlockBytes / frame_bytes);
  for (int64_t done = 0; done < frames; done += block) {
    const int64_t count = std::min(block, frames - done), elements = count * data_.channels;
    const std::byte* in = bytes_->bytes(data_.offset + next_ * frame_bytes, count * frame_bytes, buffer_);
    decode_pcm(out, dtype, in, data_.kind, elements);
    out += elements * item_bytes(dtype);
    next_ += count;
  }
}

}  // namespace penstock
